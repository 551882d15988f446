package soak

import (
	"context"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/workers"
)

// spins has a worker killed that spins.
func (w *world) spins(id pool.WorkerID) {
	select {
	case w.spinners <- id:
	case <-w.closed:
	}
}

// killSpinners kills workers that spin, after they have done so for a while, until the runtime has closed.
func (w *world) killSpinners() {
	for {
		select {
		case id := <-w.spinners:
			pause(context.Background(), 3*time.Millisecond)
			err := w.workers.With(func(s workers.Service) error { return s.Kill(id) })
			w.expect("Kill of a worker that spins", err, workers.ErrWorkerNotFound)
			w.count("kills", "of workers that spin")
		case <-w.closed:
			return
		}
	}
}
