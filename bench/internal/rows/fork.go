package rows

// G1: a fork of a guest with 16 MiB of memory over an instantiation of the same guest on plain wazero with its default memory.
//
// The fork is InstanceManager.Fork of a live caller, as Workers makes its own. Sixteen are made on the clock, then closed off
// the clock, and again. Linux only: elsewhere the host uses the engine's default memory too.

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/wago-org/wago"
)

// alive is how many instances with 16 MiB exist before they are closed.
const alive = 16

func forkRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "G1 fork", What: "fork of a 16 MiB guest over wazero's instantiation", Unit: measure.Ratio, Aim: measure.AtMost(.02),
		Sides: []measure.Side{{Name: "fork", Unit: measure.Nanoseconds}, {Name: "wazero", Unit: measure.Nanoseconds}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			if runtime.GOOS != "linux" {
				return nil, measure.Unavailable("memory is mapped on Linux only")
			}
			forks, err := forksOf(b, g.Memory16)
			if err != nil {
				return nil, err
			}
			instances, err := instancesOf(b, g.Memory16)
			if err != nil {
				return nil, err
			}
			return b.CostOver(forks, instances)
		},
	}}
}

func forksOf(b *measure.Bench, guest []byte) (measure.Timed, error) {
	h, err := openHost(b, guest, host.Bare, 0)
	if err != nil {
		return nil, err
	}
	return making(func() (*wago.ManagedInstance, error) { return h.Manager.Fork(b.Context, h.Caller) },
		(*wago.ManagedInstance).Close), nil
}

func instancesOf(b *measure.Bench, guest []byte) (measure.Timed, error) {
	e, err := openDirect(b, guest, direct.Plain)
	if err != nil {
		return nil, err
	}
	return making(func() (*direct.Instance, error) { return e.New(b.Context) },
		func(in *direct.Instance) error { return in.Close(context.WithoutCancel(b.Context)) }), nil
}

// making times the making of instances, a few at a time.
func making[T any](one func() (T, error), closed func(T) error) measure.Timed {
	made := make([]T, 0, alive)
	return func(n int) (total time.Duration, err error) {
		for ; n > 0; n -= alive {
			took, err := measure.Clock(func() error { return fillUp(&made, min(n, alive), one) })
			for _, each := range made {
				err = errors.Join(err, closed(each))
			}
			made = made[:0]
			if err != nil {
				return 0, err
			}
			total += took
		}
		return total, nil
	}
}

func fillUp[T any](made *[]T, n int, one func() (T, error)) error {
	for range n {
		each, err := one()
		if err != nil {
			return err
		}
		*made = append(*made, each)
	}
	return nil
}
