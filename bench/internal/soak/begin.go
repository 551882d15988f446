package soak

import (
	"context"
	"math/rand/v2"

	"github.com/wago-org/wago"
)

// begin is asked by start sections: some fail, in the host or in the guest, some take their time.
func (w *world) begin(_ wago.HostModule, _, results []uint64) {
	n := w.begun.Add(1)
	switch dice := rand.New(rand.NewPCG(w.seed^n, 5)); dice.IntN(80) {
	case 0:
		panic(wago.HostTrap{Err: errStart})
	case 1:
		results[0] = 1
	case 2, 3:
		pause(context.Background(), microseconds(dice, 3_000))
	}
}
