package run

import (
	"fmt"
	"strconv"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/ordered"
)

// seize fails the records that workers have in hand: nobody waits for them any more.
func (j *job) seize() {
	j.abandoned.Store(true) // before anything is seized: a lane looks for it afterwards
	stats, err := j.service.Stats(j.pool)
	if err != nil {
		return // the pool is gone, and so is all that was in hand
	}
	running := make(map[pool.WorkerID]bool)
	for _, w := range stats.Workers {
		running[w.ID] = w.Running > 0
	}
	now := time.Now()
	for _, held := range j.answers.Seize(func(w pool.WorkerID) bool { return running[w] }) {
		j.queue.Settle(ordered.Ticket{Number: held.Tag}, 0, outcome{
			err: fmt.Errorf("still running when interrupted, after %s", seconds(now.Sub(held.Since))), worker: held.Worker,
		})
	}
}

// seconds writes a time in seconds, as in "0.2 s" or "7 s".
func seconds(d time.Duration) string {
	precision := 100 * time.Millisecond
	if d >= 10*time.Second {
		precision = time.Second
	}
	return strconv.FormatFloat(d.Round(precision).Seconds(), 'f', -1, 64) + " s"
}
