package service_test

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/events"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// closePatience is how long the end of a runtime may take, whoever waits for whatever.
const closePatience = 5 * time.Second

// parking is a runtime in which goroutines wait in one place after the other.
type parking struct {
	*rig.Rig
	spin    chan struct{} // closed when a start section has begun to spin
	release chan struct{} // what the stuck observer waits for
	waiting []waiting
	stuck   bool
}

// waiting is a call that the close has to end, with an error in which errors.Is finds one of want.
type waiting struct {
	what string
	back <-chan error
	want []error
}

// The tags by which the workers of a parking know where to wait. The payload is the pool they do it to.
const (
	tagDone uint64 = iota
	tagHold
	tagCall
	tagSubmitWait
	tagDestroy
	tagSpin
)

func newParking(t *testing.T) *parking {
	p := &parking{spin: make(chan struct{}), release: make(chan struct{})}
	p.Rig = rig.New(t, rig.Config{Guest: rig.Starts, Behaviour: parkWorker})
	return p
}

func parkWorker(w *rig.Worker, task pool.Task) rig.Act {
	other := pool.PoolID(0)
	if len(task.Payload) == 8 {
		other = pool.PoolID(binary.LittleEndian.Uint64(task.Payload))
	}
	switch task.Tag {
	case tagHold:
		w.Hold(never)
		return rig.Return
	case tagCall:
		_, _ = w.Service().Call(w.Context(), other, pool.Task{Tag: tagHold})
	case tagSubmitWait:
		_, _ = w.Service().SubmitTask(other, pool.Task{Tag: tagHold}) // takes the last place, if there is one
		_, _ = w.Service().SubmitWait(w.Context(), other, pool.Task{Tag: tagHold})
	case tagDestroy:
		_ = w.Service().Destroy(other)
	case tagSpin:
		return rig.Spin
	}
	return rig.Next
}

// pool creates a pool of one worker, with one place in its mailbox, and an owner for it.
func (p *parking) pool(entry uint32, opts pool.PoolOptions) *bench {
	p.T.Helper()
	opts.Worker.QueueCapacity = 1
	b := &bench{Rig: p.Rig, owner: p.Owner()}
	var err error
	b.id, err = p.Service.Create(b.owner.Caller, entry, opts)
	require.NoError(p.T, err)
	return b
}

// busy creates a pool whose worker has a task of the given tag in hand, about the pool about; 0: about itself.
func (p *parking) busy(tag uint64, about pool.PoolID) *bench {
	p.T.Helper()
	b := p.pool(rig.EntryLoop, pool.PoolOptions{})
	if about == 0 {
		about = b.id
	}
	_, err := p.Service.Submit(b.id, tag, binary.LittleEndian.AppendUint64(nil, uint64(about)))
	require.NoError(p.T, err)
	b.Eventually(func() bool {
		stats, err := p.Service.Stats(b.id)
		return err == pool.ErrPoolNotFound || stats.Running == 1
	}, "the task is in hand")
	return b
}

// full creates a pool that has one task in hand and one queued.
func (p *parking) full() *bench {
	b := p.busy(tagHold, 0)
	b.submit(tagHold)
	return b
}

func (p *parking) waits(what string, back <-chan error, want ...error) {
	p.waiting = append(p.waiting, waiting{what, back, want})
}

var blockingPlaces = []struct {
	name string
	park func(*parking)
}{
	{"a worker in DispatchNext", func(p *parking) {
		b := p.pool(rig.EntryLoop, pool.PoolOptions{})
		b.submit(tagDone)
		b.quiet()
	}},
	{"a raw worker in DispatchNext", func(p *parking) {
		b := p.pool(rig.EntryRaw, pool.PoolOptions{})
		b.submit(tagDone)
		b.until(func(s pool.PoolStats) bool { return s.Queued == 0 }, "taken")
	}},
	{"an owner in Supervise", func(p *parking) {
		b := p.pool(rig.EntryLoop, pool.PoolOptions{})
		p.waits("Supervise", b.supervised(), pool.ErrPoolDestroyed)
	}},
	{"an owner in Supervise without workers", func(p *parking) {
		b := p.pool(rig.EntryTraps, pool.PoolOptions{Restart: pool.RestartNever})
		b.until(func(s pool.PoolStats) bool { return s.Live == 0 }, "no worker")
		p.waits("Supervise without workers", b.supervised(), pool.ErrPoolDestroyed)
	}},
	{"a worker in Call of its own pool", func(p *parking) {
		b := p.busy(tagCall, 0)
		b.until(func(s pool.PoolStats) bool { return s.Queued == 1 }, "called")
	}},
	{"a worker in Call of another pool", func(p *parking) {
		other := p.pool(rig.EntryLoop, pool.PoolOptions{})
		p.busy(tagCall, other.id)
		other.running(1)
	}},
	{"a worker in SubmitWait of its own pool", func(p *parking) {
		b := p.busy(tagSubmitWait, 0)
		b.until(func(s pool.PoolStats) bool { return s.Queued == 1 }, "its mailbox is full")
	}},
	{"a worker in SubmitWait of another pool", func(p *parking) { p.busy(tagSubmitWait, p.full().id) }},
	{"a worker that destroys its own pool", func(p *parking) {
		b := p.busy(tagDestroy, 0)
		b.Eventually(func() bool { _, err := p.Service.Stats(b.id); return err == pool.ErrPoolNotFound }, "destroyed")
	}},
	{"a worker that spins", func(p *parking) { p.busy(tagSpin, 0) }},
	{"a Call from outside", func(p *parking) {
		b := p.pool(rig.EntryLoop, pool.PoolOptions{})
		p.waits("Call", async(func() error {
			_, err := p.Service.Call(context.Background(), b.id, pool.Task{Tag: tagHold})
			return err
		}), pool.ErrPoolDestroyed)
		b.running(1)
	}},
	{"a SubmitWait from outside", func(p *parking) {
		b := p.full()
		p.waits("SubmitWait", b.submitsAndWaits(), pool.ErrPoolDestroyed, pool.ErrPoolNotFound)
	}},
	{"a SubmitWait without workers", func(p *parking) {
		b := p.pool(rig.EntryTraps, pool.PoolOptions{Restart: pool.RestartNever})
		b.until(func(s pool.PoolStats) bool { return s.Live == 0 }, "no worker")
		p.waits("SubmitWait without workers", b.submitsAndWaits(), pool.ErrPoolDestroyed, pool.ErrPoolNotFound)
	}},
	{"DrainWait from outside", func(p *parking) {
		b := p.busy(tagHold, 0)
		p.waits("DrainWait", async(func() error { return p.Service.DrainWait(context.Background(), b.id) }), pool.ErrPoolDestroyed)
		b.until(func(s pool.PoolStats) bool { return s.Draining }, "draining")
	}},
	{"an owner in DrainWait", func(p *parking) {
		b := p.busy(tagHold, 0)
		p.waits("the owner's DrainWait", b.owner.Do(func(caller wago.HostModule) error {
			ctx, cancel, err := p.Service.CallerContext(caller)
			if err != nil {
				return err
			}
			defer cancel()
			return p.Service.DrainWait(ctx, b.id)
		}), pool.ErrPoolNotDrained, pool.ErrPoolDestroyed) // its context or its pool ends first
		b.until(func(s pool.PoolStats) bool { return s.Draining }, "draining")
	}},
	{"a start section that spins", func(p *parking) {
		owner := p.Owner()
		p.OnStart(func() rig.Act {
			p.OnStart(nil)
			close(p.spin)
			return rig.Spin
		})
		p.waits("Create", owner.Do(func(caller wago.HostModule) error {
			_, err := p.Service.Create(caller, rig.EntryLoop, pool.PoolOptions{})
			return err
		}), workers.ErrWorkerParentClosed)
		within(p.T, testPatience, p.spin, "the start section")
	}},
	{"a stuck observer", func(p *parking) {
		p.stuck = true
		entered := make(chan struct{})
		_, err := p.Service.ObserveEvents(func(*pool.PoolEvent) {
			close(entered)
			<-p.release
		})
		require.NoError(p.T, err)
		p.pool(rig.EntryLoop, pool.PoolOptions{})
		within(p.T, testPatience, entered, "the observer")
	}},
}

// submitsAndWaits starts a SubmitWait; when it returns, that has begun. Whether it is waiting already cannot be seen: a close
// that comes before finds no pool.
func (b *bench) submitsAndWaits() <-chan error {
	b.T.Helper()
	back := async(func() error {
		_, err := b.Service.SubmitWait(context.Background(), b.id, pool.Task{Tag: tagHold})
		return err
	})
	b.Eventually(func() bool { return b.Service.Tally(b.id).Waiting == 1 }, "begun")
	return back
}

// supervised has the owner supervise the pool and waits until it does. Asking takes the place for a moment, so the owner may
// have to try again.
func (b *bench) supervised() <-chan error {
	b.T.Helper()
	back := b.owner.Do(func(caller wago.HostModule) error {
		for {
			if err := b.Service.Supervise(context.Background(), caller, b.id); err != pool.ErrPoolSupervised {
				return err
			}
		}
	})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	b.Eventually(func() bool {
		return b.Service.Supervise(ended, b.owner.Caller, b.id) == pool.ErrPoolSupervised
	}, "supervised")
	return back
}

func TestNobodyWaitsForEver(t *testing.T) {
	for _, place := range blockingPlaces {
		t.Run(place.name, func(t *testing.T) {
			t.Parallel()
			p := newParking(t)
			place.park(p)
			p.closesInTime()
		})
	}
	t.Run("all at once", func(t *testing.T) {
		t.Parallel()
		p := newParking(t)
		for _, place := range blockingPlaces {
			place.park(p)
		}
		p.closesInTime()
	})
}

// closesInTime closes the runtime and holds that everybody comes back.
func (p *parking) closesInTime() {
	t := p.T
	t.Helper()
	defer close(p.release)
	begun := time.Now()
	err := p.Shut()
	for _, w := range p.waiting {
		err := within(t, closePatience, w.back, w.what)
		is := func(want error) bool { return errors.Is(err, want) }
		assert.True(t, slices.ContainsFunc(w.want, is), "%s: %v", w.what, err)
	}
	assert.Less(t, time.Since(begun), closePatience)
	if p.stuck {
		require.ErrorIs(t, err, events.ErrCallbackStuck)
		var stuck *events.StuckError
		require.True(t, errors.As(err, &stuck))
		require.NotEmpty(t, stuck.Func)
	} else {
		require.NoError(t, err)
	}
}
