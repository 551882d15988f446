package service

// A limited pool is smaller than it should be because a ceiling stands in the way: of Pool's own, of the budget that elastic pools
// share, or of the layers below.

import (
	"errors"

	"github.com/wago-org/workers"
)

// shareSetting is the name of the budget that elastic pools share.
const shareSetting = "runnableWorkers"

// setLimit remembers what keeps the pool small, and reports it when that is new.
func (p *pool) setLimit(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && isShare(p.limit) {
		return // that is for the next decision to say
	}
	p.setLimitLocked(err)
}

func (p *pool) setLimitLocked(err error) {
	if p.isEnded || (p.draining && err != nil) {
		return // it wants no more
	}
	was := p.limit
	p.limit = err
	switch {
	case was == nil && err != nil:
		p.s.hungry.Add(1)
		why := ReasonSpawnFailed
		if isLimit(err) {
			why = ReasonCeiling
		}
		p.emit(Event{Kind: PoolLimited, Err: err, Reason: why})
	case was != nil && err == nil:
		p.s.hungry.Add(-1)
	}
}

// shortOfLocked notes that the budget has less for the pool than its load asks for.
func (p *pool) shortOfLocked(want, size uint32) {
	if want > size {
		p.setLimitLocked(&LimitError{Setting: shareSetting, Limit: uint64(p.s.limits.RunnableWorkers), Wanted: uint64(want)})
	} else if isShare(p.limit) {
		p.setLimitLocked(nil)
	}
}

func (p *pool) isLimited() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.limit != nil
}

// isShare reports whether the budget of runnable workers is what limits a pool.
func isShare(err error) bool {
	limit, ok := err.(*LimitError)
	return ok && limit.Setting == shareSetting
}

// isLimit reports whether a ceiling caused err.
func isLimit(err error) bool { return errors.Is(err, ErrPoolWorkerLimit) }

// isQuota reports whether Workers, or the host, had no place for a worker.
func isQuota(err error) bool {
	var limit *LimitError
	return errors.As(err, &limit) && limit.Cause != nil
}

// bare returns Pool's own ceilings as the bare sentinel; what a layer below refused keeps its cause.
func bare(err error) error {
	var limit *LimitError
	if errors.As(err, &limit) && limit.Cause == nil {
		return ErrPoolWorkerLimit
	}
	return err
}

// spawnError says whether a failed spawn met a ceiling, and if so which.
func spawnError(err error) error {
	var limit ceiling
	if errors.As(err, &limit) {
		setting, allowed, wanted := limit.Ceiling()
		return &LimitError{Setting: setting, Limit: allowed, Wanted: wanted, Cause: err}
	}
	if errors.Is(err, workers.ErrWorkerQuotaExceeded) {
		return &LimitError{Setting: "a quota of Workers", Cause: err}
	}
	return err
}

// cutShort returns ErrPoolWorkerLimit when the budget of runnable workers left less than was asked for.
func (p *pool) cutShort(size uint32) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.elastic == nil || p.base >= p.clamp(size) {
		return nil
	}
	return ErrPoolWorkerLimit
}
