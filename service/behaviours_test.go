package service_test

import (
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
)

// takesMilliseconds has each task last n milliseconds of a bubble's clock.
func takesMilliseconds(n int) rig.Behaviour {
	return func(w *rig.Worker, _ pool.Task) rig.Act {
		timer := time.NewTimer(time.Duration(n) * time.Millisecond)
		defer timer.Stop()
		select {
		case <-timer.C:
			return rig.Next
		case <-w.Context().Done():
			return rig.Return
		}
	}
}
