package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

func TestSuperviseReturns(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(b *bench, cancel context.CancelFunc)
		want []error // nil: nil
	}{
		"nil after a drain": {func(b *bench, _ context.CancelFunc) { require.NoError(b.T, b.Service.Drain(b.id)) }, nil},
		"ErrPoolDestroyed when the pool goes": {func(b *bench, _ context.CancelFunc) {
			require.NoError(b.T, b.Service.Destroy(b.id))
		}, []error{pool.ErrPoolDestroyed}},
		"ErrPoolDestroyed with the cause when the owner goes": {func(b *bench, _ context.CancelFunc) {
			require.NoError(b.T, b.owner.Close())
		}, []error{pool.ErrPoolDestroyed, workers.ErrWorkerParentClosed}},
		"its context's error": {func(_ *bench, cancel context.CancelFunc) { cancel() }, []error{context.Canceled}},
	} {
		for _, size := range []string{"with workers", "without workers"} {
			t.Run(name+" "+size, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					b := newBench(t, rig.Config{Bubble: true, Behaviour: rig.TrapOn(666)}, pool.PoolOptions{Restart: pool.RestartNever})
					if size == "without workers" {
						b.submit(666)
						b.until(func(s pool.PoolStats) bool { return s.Live == 0 }, "no worker")
					}
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					over := async(func() error { return b.Service.Supervise(ctx, b.owner.Caller, b.id) })
					synctest.Wait()
					require.True(t, waits(over))
					c.end(b, cancel)
					err := <-over
					if c.want == nil {
						require.NoError(t, err)
					}
					for _, want := range c.want {
						assert.ErrorIs(t, err, want)
					}
				})
			})
		}
	}
}

func TestOnePoolHasOneSupervisor(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		first := async(func() error { return b.Service.Supervise(ctx, b.owner.Caller, b.id) })
		synctest.Wait()
		assert.Equal(t, pool.ErrPoolSupervised, b.Service.Supervise(t.Context(), b.owner.Caller, b.id))
		cancel()
		require.Equal(t, context.Canceled, <-first)
		second := b.supervise()
		synctest.Wait()
		require.True(t, waits(second), "the place is free again")
		require.NoError(t, b.Service.Drain(b.id))
		require.NoError(t, <-second)
	})
}

func TestAnOwnerSupervisesSeveralPoolsAtOnce(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{})
	other := &bench{Rig: b.Rig, owner: b.owner, id: b.another(pool.PoolOptions{})}
	ctx, cancel := context.WithCancel(t.Context())
	var over []<-chan error
	for _, p := range []*bench{b, other} {
		over = append(over, async(func() error { return p.Service.Supervise(ctx, p.owner.Caller, p.id) }))
		p.submit(666)
	}
	for _, p := range []*bench{b, other} {
		p.until(func(s pool.PoolStats) bool { return s.Exited == 1 && s.Live == 1 }, "healed")
	}
	cancel()
	for _, c := range over {
		require.Equal(t, context.Canceled, within(t, testPatience, c, "Supervise"))
	}
}

func TestSuperviseSleepsWhileNothingHappens(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{MinWorkers: 4})
		over := b.supervise()
		begun := time.Now()
		synctest.Wait()
		time.Sleep(10 * time.Minute) // any timer of Supervise's own would have run: nothing may have changed
		synctest.Wait()
		assert.Equal(t, 10*time.Minute, time.Since(begun))
		assert.Equal(t, 4, b.Spawned())
		require.True(t, waits(over))
	})
}

func TestBackoffDelaysReplacementsAndNothingElse(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		const delay = time.Hour
		b := newBench(t, rig.Config{Bubble: true, Behaviour: rig.TrapOn(666)}, pool.PoolOptions{
			MinWorkers: 2, RestartBackoff: pool.Backoff{Base: delay, Max: delay}, RestartWindow: pool.Lifetime,
		})
		b.supervise()
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "trapped")
		b.reconcile() // replaces nothing and says nothing
		_, err := b.Service.SubmitFrom(b.owner.Caller, b.id, 1, nil)
		require.NoError(t, err)
		b.quiet()
		assert.EqualValues(t, 1, b.stats().Live)
		time.Sleep(delay + 1)
		synctest.Wait()
		assert.EqualValues(t, 2, b.stats().Live, "Supervise wakes at its end")
	})
}

func TestSupervisionStartsAgainWhatMetACeilingWhenAWorkerHasGone(t *testing.T) {
	r := rig.New(t, rig.Config{Settings: ceilings("3"), Behaviour: rig.TrapOn(666)})
	rec := record(r)
	b, other := &bench{Rig: r}, &bench{Rig: r}
	other.create(pool.PoolOptions{MinWorkers: 2})
	b.create(pool.PoolOptions{MinWorkers: 1, MaxWorkers: 3})
	err := b.Service.Scale(b.owner.Caller, b.id, 3)
	require.Equal(t, pool.ErrPoolWorkerLimit, err)
	b.reconcile()
	stats := b.stats()
	assert.True(t, stats.Limited)
	assert.EqualValues(t, 1, stats.Live)
	assert.EqualValues(t, 3, stats.Desired)
	var limit *pool.LimitError
	require.ErrorAs(t, rec.await(pool.PoolLimited, 1)[0].Err, &limit)
	assert.Equal(t, "maxTotalWorkers", limit.Setting)
	assert.EqualValues(t, 3, limit.Limit)
	b.supervise()
	require.NoError(t, other.Service.Destroy(other.id))
	b.until(func(s pool.PoolStats) bool { return s.Live == 3 && !s.Limited }, "grown")
	assert.Zero(t, b.stats().Restarted)
}

func TestAQuotaOfWorkersIsACeiling(t *testing.T) {
	r := rig.New(t, rig.Config{Settings: map[string]string{workers.PluginID: `{"maxLiveWorkers":2}`}})
	b := &bench{Rig: r}
	b.create(pool.PoolOptions{MinWorkers: 1, MaxWorkers: 4})
	err := b.Service.Scale(b.owner.Caller, b.id, 4)
	require.ErrorIs(t, err, pool.ErrPoolWorkerLimit)
	require.ErrorIs(t, err, workers.ErrWorkerQuotaExceeded)
	var limit *pool.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, "maxLiveWorkers", limit.Setting)
	assert.EqualValues(t, 2, limit.Limit)
	assert.EqualValues(t, 2, b.stats().Live, "as far as it could")
	assert.True(t, b.stats().Limited)
	b.reconcile()
	_, err = b.Service.SubmitFrom(b.owner.Caller, b.id, 1, nil)
	require.NoError(t, err, "limited, never broken")
	_, err = b.Service.Create(b.owner.Caller, rig.EntryLoop, pool.PoolOptions{})
	require.ErrorIs(t, err, pool.ErrPoolWorkerLimit)
	b.quiet()
}

func TestTheErrorOfTheReconcileIsSubmitFromsWhenNobodyIsThere(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{})
	b.submit(666)
	b.until(func(s pool.PoolStats) bool { return s.Live == 0 }, "no worker")
	b.OnSpawn(func(int) error { return errSpawn })
	_, err := b.Service.SubmitFrom(b.owner.Caller, b.id, 1, nil)
	require.ErrorIs(t, err, errSpawn)
	b.OnSpawn(nil)
	_, err = b.Service.SubmitFrom(b.owner.Caller, b.id, 2, nil)
	require.NoError(t, err)
	b.quiet()
}

func TestARestartPolicyDecidesByTheEnd(t *testing.T) {
	for _, c := range []struct {
		policy   pool.RestartPolicy
		how      rig.Act
		replaced bool
	}{
		{pool.RestartOnFailure, rig.Trap, true}, {pool.RestartOnFailure, rig.Return, false},
		{pool.RestartAlways, rig.Trap, true}, {pool.RestartAlways, rig.Return, true},
		{pool.RestartNever, rig.Trap, false}, {pool.RestartNever, rig.Return, false},
	} {
		b := newBench(t, rig.Config{Behaviour: rig.ActOn(c.how, 7)}, pool.PoolOptions{MinWorkers: 2, Restart: c.policy})
		rec := record(b.Rig)
		b.submit(7)
		b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "ended")
		b.reconcile()
		stats := b.stats()
		want := uint32(1)
		if c.replaced {
			want = 2
		}
		assert.Equal(t, want, stats.Live, "%v, %v", c.policy, c.how)
		assert.Equal(t, want, stats.Desired)
		rec.awaitAll()
		gaveUp := 0
		for _, e := range rec.of(pool.PoolScaled) {
			if e.Reason == pool.ReasonGaveUp {
				gaveUp++
				assert.EqualValues(t, 2, e.From)
				assert.EqualValues(t, 1, e.To)
			}
		}
		assert.Equal(t, !c.replaced, gaveUp == 1)
		b.scale(2)
		assert.EqualValues(t, 2, b.stats().Live, "Scale takes the place again")
	}
}
