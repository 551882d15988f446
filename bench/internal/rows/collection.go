package rows

// G13 collection: how long a garbage collection takes while a guest of this host spins in a tight loop. The guest has told the
// host that it is about to; nothing else runs. With plain wazero the collection would wait for the guest, and so for ever.

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/wago-org/wago"
)

func collectionRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "G13 collection", What: "a garbage collection while a guest spins", Unit: measure.Nanoseconds, Aim: measure.AtMost(10e6),
		Open: func(b *measure.Bench) (measure.Round, error) {
			if err := spin(b, g.Loop); err != nil {
				return nil, err
			}
			return func() (measure.Sample, error) {
				took, err := measure.Clock(func() error { runtime.GC(); return nil })
				return measure.Sample{Figure: float64(took)}, err
			}, nil
		},
	}}
}

// spin has a guest spin until the row has been measured.
func spin(b *measure.Bench, guest []byte) error {
	h, err := openIdle(b, guest)
	if err != nil {
		return err
	}
	in, err := h.Runtime.Instantiate(b.Context, h.Module)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(b.Context)
	visit, err := h.Visit(ctx, in, "forever")
	if err != nil {
		cancel()
		return err
	}
	b.OnClose(func() error {
		cancel()
		var trap *wago.TrapError
		if err := <-visit.Left; !errors.As(err, &trap) {
			return fmt.Errorf("the guest that spins ended with %w", err)
		}
		return nil
	})
	visit.Leave()
	return nil
}
