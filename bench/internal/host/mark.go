package host

import "time"

// Mark is when a worker had the task with that tag in its hand.
type Mark struct {
	Tag uint64
	At  time.Time
}

func (h *Host) mark(tag uint64) {
	select {
	case h.Marks <- Mark{Tag: tag, At: time.Now()}:
	case <-h.stopping:
	}
}
