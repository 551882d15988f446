package run

import (
	"errors"
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
		j.limited(e.Err)
	}
}

// limited names each ceiling once: a pool whose load moves meets the same one again and again.
func (j *job) limited(err error) {
	which := err.Error()
	if limit := (*pool.LimitError)(nil); errors.As(err, &limit) {
		which = limit.Setting
	}
	if !j.told[which] {
		j.told[which] = true
		j.opts.Console.Line(about("", 0, 0, "no further worker could be started: "+limitText(err)))
	}
}

func (j *job) checkHalt() {
	stats, err := j.service.Stats(j.pool)
	if err == nil && stats.Halted && stats.Live == 0 {
		j.fail(&NoWorkersError{
			Ended: j.opts.replacements(), Window: j.opts.window(),
			Untaken: j.opts.MaxRestarts == pool.UnlimitedRestarts || stats.Done+stats.FailedTasks == 0,
			Worker:  stats.LastExit.Worker, Err: stats.LastExit.Err, Failed: stats.LastExit.Err != nil,
		})
	}
}

// limitText names the ceiling that keeps workers from starting, and the way out.
func limitText(err error) string {
	var limit *pool.LimitError
	if !errors.As(err, &limit) {
		return err.Error()
	}
	return fmt.Sprintf("%s allows %d, wanted %d: raise it in --config, or ask for fewer workers",
		limit.Setting, limit.Limit, limit.Wanted)
}
