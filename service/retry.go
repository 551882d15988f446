package service

import "time"

// Supervise tries a spawn again that was refused or failed after spawnRetry, or when a worker of the process ends; what comes
// meanwhile makes it no sooner. That end is seen before Workers has given its place back: a quota's refusal is tried again after
// quotaRetry first, then after twice as long each time, up to spawnRetry.
const (
	spawnRetry = time.Second
	quotaRetry = time.Millisecond
)

// retry says when a spawn that was refused or failed is tried again. The zero value is for the first time. Not safe for concurrent
// use; its owner guards it.
type retry struct {
	at    time.Time     // not before; zero: at once
	pause time.Duration // before at
	exits uint64        // how many workers had ended when it was tried
}

// wait returns how long to wait before the next try, after so many exits; zero: not at all.
func (r *retry) wait(now time.Time, exits uint64) time.Duration {
	if r.at.IsZero() || exits != r.exits {
		return 0
	}
	return max(r.at.Sub(now), 0)
}

// failed notes a try that began after so many exits, and returns how long to wait before the next.
func (r *retry) failed(err error, exits uint64) time.Duration {
	if exits != r.exits {
		r.pause = 0
	}
	if r.pause = min(max(2*r.pause, quotaRetry), spawnRetry); !isQuota(err) {
		r.pause = spawnRetry
	}
	r.at, r.exits = time.Now().Add(r.pause), exits
	return r.pause
}
