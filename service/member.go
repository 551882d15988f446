package service

import (
	"sync"
	"sync/atomic"

	"github.com/JairusSW/pool/strategy"
)

// member is a worker in a pool: its place, the mirror of its mailbox and the task in its hand. Each part fills cache lines: a
// plain submit reads the first and writes the second, whichever core the worker is on.
type member struct {
	// set once, before others see it
	pool *pool
	id   WorkerID
	load *atomic.Int64 // what pickers read, and where: own, or beside the loads of others; noLoad: they never do. Written under mu

	// seldom written
	fullPass  uint64 // guarded by the pool's mu: the pass over the waiting submits in which it was found full
	stopCause error  // guarded by mu: why it was told to stop; nil when it retires
	slot      uint32 // guarded by the pool's mu
	retired   bool   // guarded by mu: it was retired, being idle, by a kill for lack of better
	orphan    bool   // set once: its spawn returned into a pool that no longer wanted it
	_         [8]byte

	own atomic.Int64

	burden   uint32     // guarded by mu, as all that follows: its load, the tasks in queue and one in hand that came by Pool
	bytes    uint32     // payload bytes in queue, at most MaxQueueBytes
	mu       sync.Mutex // taken after the pool's, before Workers' own
	state    memberState
	cordons  cordon   // who keeps it out of routing
	standing standing // what it counts as in its pool's crew
	roomy    bool     // it counts in the pool's number of workers with room
	holding  bool     // hand is a task
	pooled   bool     // hand came through Pool's DispatchNext
	took     bool     // it has taken a task at some time
	judged   bool     // the verdict on its task ended it: supervision counts that as a failure
	queue    fifo     // mirror of its mailbox

	hand entry

	handSince int64 // when it took hand (nanoseconds on the service's clock)
	freeSince int64 // when the DispatchNext under way settled a task that had a next one behind it; else 0
	counts    memberCounts

	dispatching atomic.Bool // a DispatchNext of Pool's is under way; not guarded
	_           [28]byte
}

func newMember(p *pool, id WorkerID) *member {
	m := &member{pool: p, id: id}
	switch m.load = &m.own; p.opts.Strategy {
	case strategy.RoundRobin, strategy.Random, strategy.ConsistentHash, strategy.Broadcast:
		m.load = &noLoad
	case strategy.LeastLoaded:
		m.load = new(atomic.Int64) // small objects lie close together: it looks at those of all members
	}
	return m
}

// clearQueueLocked takes out what lies in m's mailbox, which its worker will never get.
func (m *member) clearQueueLocked() []entry {
	left := m.queue.drain()
	m.counts.undelivered += uint64(len(left))
	m.bytes = 0
	return left
}

// worker is the member's id; 0 for nobody.
func (m *member) worker() WorkerID {
	if m == nil {
		return 0
	}
	return m.id
}

// memberCounts are a worker's share of its pool's ledger. A plain submit counts nothing: what came is what has gone and what is
// there.
type memberCounts struct {
	dispatched, undelivered uint64 // what has left the mailbox: into the hand, and to others
	recounted, redelivered  uint64 // of what came: counted as routed before; those that were in the mailbox of a worker that ended
	legs                    uint64 // of what was routed: sent by a broadcast
	done, failed, foreign   uint64
	queueNanos, runNanos    uint64
}

// routed is how many tasks were routed to workers in whose mailboxes so many lie.
func (c *memberCounts) routed(queued uint64) uint64 {
	return c.dispatched + c.undelivered + queued - c.recounted
}

type memberState uint8

const (
	memberLive     memberState = iota // can be sent to, unless cordoned
	memberStopping                    // was told to stop: takes no more tasks
	memberGone                        // its exit was seen
)

// cordon is a set of causes that keep a worker out of routing. Each authority sets and clears its own.
type cordon uint8

const cordonSizing cordon = 1 // more workers than the size asks for

// standing is what a worker is to sizing. A pool's crew has so many of each but apart.
type standing uint8

const (
	apart    standing = iota // no member yet, told to stop, or gone
	routable                 // can be sent to
	cordoned                 // can be taken back
	judged                   // stopped by a verdict: its place is its own until it has gone
	standings
)

// standLocked brings the pool's crew up to date.
func (m *member) standLocked() {
	now := apart
	switch {
	case m.state == memberLive && m.cordons == 0:
		now = routable
	case m.state == memberLive:
		now = cordoned
	case m.state == memberStopping && m.judged:
		now = judged
	}
	if now != m.standing {
		m.pool.crew[now].Add(1) // first: who reads meanwhile may count m twice, but never misses it
		m.pool.crew[m.standing].Add(-1)
		m.standing = now
	}
}

// routableLocked reports whether tasks may be sent to m.
func (m *member) routableLocked() bool { return m.state == memberLive && m.cordons == 0 }

// updateLocked brings what others read of m without its lock up to date.
func (m *member) updateLocked() {
	load := uint32(m.queue.len())
	if m.holding && m.pooled {
		load++
	}
	if load != m.burden {
		if m.load != &noLoad {
			m.load.Store(int64(load))
		}
		m.pool.loadMoved(int64(load) - int64(m.burden))
		m.burden = load
	}
	m.standLocked()
	roomy := m.standing == routable && m.queue.len() < int(m.pool.opts.Worker.QueueCapacity)
	if roomy == m.roomy {
		return
	}
	m.roomy = roomy
	if roomy {
		m.pool.roomy.Add(1)
	} else {
		m.pool.roomy.Add(-1)
	}
}

// statLocked returns m's line in Stats.
func (m *member) statLocked() WorkerStat {
	stat := WorkerStat{
		ID: m.id, Enqueued: m.counts.dispatched + uint64(m.queue.len()), // a live worker's mailbox was never cleared
		Dispatched: m.counts.dispatched, Outstanding: uint32(m.queue.len()),
		QueueNanos: m.counts.queueNanos, RunNanos: m.counts.runNanos,
	}
	if m.holding {
		stat.Running = 1
	}
	return stat
}
