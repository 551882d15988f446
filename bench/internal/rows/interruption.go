package rows

// G13: what it costs that a guest can be stopped: compute-bound guests on this host over the same guests on plain wazero, which
// can't be stopped. "wazero" is wazero's own close-on-context-done over plain wazero: what it would cost without the host.
//
// Each side does its work in one call, so that the way into the guest doesn't count: sha256 of 1 KiB over and over; a loop that
// does nothing but count. What can be stopped has a context that can end.

import (
	"context"
	"time"

	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

func interruptionRows(g Guests) (rows []measure.Row) {
	for _, work := range []struct {
		name   string
		guest  []byte
		params []uint64 // behind the number of times
		aim    float64
	}{{"sha256", g.SHA256, []uint64{uint64(len(kilobyte))}, 1.15}, {"loop", g.Loop, nil, 2}} {
		plain := func(b *measure.Bench) (measure.Timed, error) {
			return directWork(b, work.guest, work.params, direct.Plain)
		}
		rows = append(rows,
			workRow("G13 "+work.name, work.name+", interruptible over plain", "this host", measure.AtMost(work.aim),
				func(b *measure.Bench) (measure.Timed, error) { return hostWork(b, work.guest, work.params) }, plain),
			workRow("G13 "+work.name+" wazero", work.name+", wazero's own interruption over plain", "wazero", measure.Aim{},
				func(b *measure.Bench) (measure.Timed, error) {
					return directWork(b, work.guest, work.params, direct.Stoppable)
				}, plain))
	}
	return rows
}

func workRow(name, what, ourName string, aim measure.Aim, ours, plain side) measure.Row {
	return measure.Row{
		Name: name, What: what, Unit: measure.Ratio, Aim: aim,
		Sides: []measure.Side{{Name: ourName, Unit: measure.Nanoseconds}, {Name: "plain", Unit: measure.Nanoseconds}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			our, err := ours(b)
			if err != nil {
				return nil, err
			}
			their, err := plain(b)
			if err != nil {
				return nil, err
			}
			return b.CostOver(our, their)
		},
	}
}

// hostWork is work in one call of an instance of this host.
func hostWork(b *measure.Bench, guest []byte, params []uint64) (measure.Timed, error) {
	h, err := openIdle(b, guest)
	if err != nil {
		return nil, err
	}
	in, err := h.Runtime.Instantiate(b.Context, h.Module)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(b.Context)
	b.OnClose(func() error { cancel(); return nil })
	return func(n int) (time.Duration, error) {
		return measure.Clock(func() error {
			_, err := in.InvokeContext(ctx, "many", append([]uint64{uint64(n)}, params...)...)
			return err
		})
	}, nil
}

// openIdle is openHost without an owner: the guest isn't asked to come.
func openIdle(b *measure.Bench, guest []byte) (*host.Host, error) {
	h, err := host.OpenIdle(b.Context, host.Options{Guest: guest, Level: host.Bare})
	if err != nil {
		return nil, err
	}
	b.OnClose(h.Close)
	return h, nil
}

// directWork is work in one call of an instance of wazero's.
func directWork(b *measure.Bench, guest []byte, params []uint64, how direct.Interruption) (measure.Timed, error) {
	e, err := openDirect(b, guest, how)
	if err != nil {
		return nil, err
	}
	in, err := e.New(b.Context)
	if err != nil {
		return nil, err
	}
	ctx := b.Context
	if how == direct.Stoppable {
		stoppable, cancel := context.WithCancel(ctx)
		b.OnClose(func() error { cancel(); return nil })
		ctx = stoppable
	}
	return func(n int) (time.Duration, error) {
		return measure.Clock(func() error { return in.Many(ctx, append([]uint64{uint64(n)}, params...)...) })
	}, nil
}
