package run

import (
	"fmt"

	"github.com/JairusSW/pool"
)

// watch observes the pool: a halted pool without workers ends the run with its cause, and what keeps workers from starting is
// said.
func (j *job) watch(e *pool.PoolEvent) {
	switch e.Kind {
	case pool.PoolHalted, pool.PoolWorkerRemoved, pool.PoolEventsLost:
		j.checkHalt()
	case pool.PoolLimited:
		j.opts.Console.Line(about("", 0, 0, fmt.Sprintf("no further worker could be started: %v", e.Err)))
	}
}

func (j *job) checkHalt() {
	stats, err := j.service.Stats(j.pool)
	if err == nil && stats.Halted && stats.Live == 0 {
		j.fail(&NoWorkersError{Last: stats.LastExit})
	}
}
