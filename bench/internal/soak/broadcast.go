package soak

import (
	"github.com/JairusSW/pool"
)

func (w *world) broadcast(d *draft) {
	var took int
	err := w.with(func(s pool.Service) (err error) {
		took, err = s.Broadcast(d.p.id, uint64(d.Tag), d.bytes)
		return err
	})
	switch {
	case err == nil:
		w.count("answers", "broadcast")
		w.check(d.Legs(took), "pool %d", d.p.id)
	case took != 0:
		w.violated("pool %d: Broadcast returns %d and %w", d.p.id, took, err)
	case err == pool.ErrPoolEmpty, err == pool.ErrPayloadTooLarge && d.long():
		w.count("answers", err.Error())
		w.check(d.Refused(), "pool %d", d.p.id)
	default:
		w.turnedAway(d, err)
	}
}
