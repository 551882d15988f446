package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// job is the guest's call of pool.serve: a pool, and the stream that is fed to it.
type job struct {
	*Run
	service pool.Service
	pool    pool.PoolID
	told    map[string]bool // the ceilings that were named; the observer of events alone uses it
}

// Serve creates the pool and stays until every record is served, or the run fails.
func (r *Run) Serve(service pool.Service, caller wago.HostModule, entry uint32) error {
	r.serving.Store(true)
	id, err := service.Create(caller, entry, r.opts.pool())
	if err != nil {
		return r.failed(r.createFailed(entry, err))
	}
	j := &job{Run: r, service: service, pool: id, told: make(map[string]bool)}
	defer func() { _ = service.Destroy(id) }() // its error: workers remain, which the runtime's close waits for
	alive, release, err := service.CallerContext(caller)
	if err != nil {
		return r.failed(err)
	}
	defer release()
	stop := context.AfterFunc(alive, func() { r.fail(context.Cause(alive)) })
	defer stop()
	return j.serve(caller)
}

// failed makes err the run's failure, unless it has one, and returns the run's failure.
func (r *Run) failed(err error) error {
	if err != nil {
		r.fail(err)
	}
	return context.Cause(r.working)
}

// serve runs the reader, the lanes and the writer, and supervises the pool until it is drained behind the last record.
func (j *job) serve(caller wago.HostModule) error {
	watching, err := j.service.ObserveEvents(j.watch)
	if err != nil {
		return j.failed(err)
	}
	defer func() { _ = j.service.UnsubscribeEvents(watching) }()
	j.job.Store(j)
	j.opts.Console.Start(j.status)
	defer j.opts.Console.Stop()

	fed := make(chan struct{})
	go func() {
		defer close(fed)
		j.feed()
	}()
	go j.write()

	err = j.failed(j.service.Supervise(j.working, caller, j.pool))
	<-fed
	if err != nil {
		j.queue.Abandon()
	} else {
		j.queue.Close()
	}
	<-j.written
	j.final, _ = j.service.Stats(j.pool)
	err = j.failed(nil)
	j.served.Store(err == nil)
	return err
}

// status is what a progress display shows.
func (j *job) status() Status {
	stats, err := j.service.Stats(j.pool)
	if err != nil {
		stats = pool.PoolStats{}
	}
	return Status{
		Read: j.counts.read.Load(), Done: j.counts.ended.done.Load(), Failed: j.counts.ended.failed.Load(),
		BytesDone: j.counts.bytesDone.Load(),
		Live:      stats.Live, Wanted: stats.Desired, Restarts: stats.Restarted, Queued: stats.Queued,
	}
}

// createFailed says why there are no workers. A pool that halts before it is whole has the same cause as one that halts later.
func (r *Run) createFailed(entry uint32, err error) error {
	if errors.Is(err, pool.ErrPoolHalted) {
		return haltedAtBirth(r.opts, err)
	}
	if wrong := r.module.CantServe(entry); wrong != "" {
		return &GuestError{Problems: []string{wrong}}
	}
	if errors.Is(err, pool.ErrPoolWorkerLimit) {
		return fmt.Errorf("starting workers: %s", limitText(err))
	}
	return fmt.Errorf("%w: starting workers with entry %d: %w", ErrGuest, entry, err)
}

// haltedAtBirth takes the last worker's end out of Create's error, which wraps it beside ErrPoolHalted.
func haltedAtBirth(o Options, err error) error {
	halted := &NoWorkersError{Ended: o.replacements(), Window: o.window(), Untaken: true, Err: err, Failed: true}
	var both interface{ Unwrap() []error }
	if errors.As(err, &both) && len(both.Unwrap()) == 2 {
		halted.Err = both.Unwrap()[1]
		halted.Failed = errors.As(halted.Err, &both)
	}
	return halted
}
