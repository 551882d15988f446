package conformance_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// The mutants of creating, submitting and waiting. The methods that they don't mention are the service's own.

type anyOption struct{ pool.Service }

func (m anyOption) Create(caller wago.HostModule, entry uint32, options pool.PoolOptions) (pool.PoolID, error) {
	options.RingReplicas = min(options.RingReplicas, pool.MaxRingReplicas)
	return m.Service.Create(caller, entry, options)
}

type oneMore struct{ pool.Service }

func (m oneMore) Create(caller wago.HostModule, entry uint32, options pool.PoolOptions) (pool.PoolID, error) {
	options.MinWorkers = max(options.MinWorkers, 1) + 1
	options.MaxWorkers = max(options.MaxWorkers, options.MinWorkers)
	return m.Service.Create(caller, entry, options)
}

type listsBackwards struct{ pool.Service }

func (m listsBackwards) List() []pool.PoolID {
	ids := m.Service.List()
	slices.Reverse(ids)
	return ids
}

type anyOwner struct{ pool.Service }

func (m anyOwner) Scale(caller wago.HostModule, id pool.PoolID, size uint32) error {
	if err := m.Service.Scale(caller, id, size); err != pool.ErrPoolOwner {
		return err
	}
	return nil
}

type drainsAnything struct{ pool.Service }

func (m drainsAnything) Drain(id pool.PoolID) error {
	if err := m.Service.Drain(id); err != pool.ErrPoolNotFound {
		return err
	}
	return nil
}

type wrapsNotFound struct{ pool.Service }

func (m wrapsNotFound) Stats(id pool.PoolID) (pool.PoolStats, error) {
	stats, err := m.Service.Stats(id)
	if err != nil {
		err = fmt.Errorf("pool %d: %w", id, err)
	}
	return stats, err
}

type drops struct {
	pool.Service
	every uint64
	n     atomic.Uint64
}

func (m *drops) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	if m.n.Add(1)%max(m.every, 2) == 0 {
		return 1, nil
	}
	return m.Service.Submit(id, tag, payload)
}

type twice struct{ pool.Service }

func (m twice) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	_, _ = m.Service.Submit(id, tag, payload)
	return m.Service.Submit(id, tag, payload)
}

type wrongWorker struct{ pool.Service }

func (m wrongWorker) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	worker, err := m.Service.Submit(id, tag, payload)
	return worker%3 + 1, err
}

type noKey struct{ pool.Service }

func (m noKey) SubmitKeyed(id pool.PoolID, _, tag uint64, payload []byte) (pool.WorkerID, error) {
	return m.Service.Submit(id, tag, payload)
}

type countsTwice struct {
	pool.Service
	n atomic.Uint64
}

func (m *countsTwice) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	m.n.Add(1)
	return m.Service.Submit(id, tag, payload)
}

func (m *countsTwice) Stats(id pool.PoolID) (pool.PoolStats, error) {
	stats, err := m.Service.Stats(id)
	stats.Submitted += m.n.Load()
	return stats, err
}

type tooLargeIsFull struct{ pool.Service }

func (m tooLargeIsFull) SubmitTask(id pool.PoolID, task pool.Task) (pool.WorkerID, error) {
	worker, err := m.Service.SubmitTask(id, task)
	if err == pool.ErrPayloadTooLarge {
		err = pool.ErrPoolBackpressure
	}
	return worker, err
}

type neverReconciles struct{ pool.Service }

func (m neverReconciles) SubmitFrom(_ wago.HostModule, id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	return m.Service.Submit(id, tag, payload)
}

type scatters struct {
	pool.Service
	n atomic.Uint64
}

func (m *scatters) SubmitKeyed(id pool.PoolID, key, tag uint64, payload []byte) (pool.WorkerID, error) {
	return m.Service.SubmitKeyed(id, key+m.n.Add(1), tag, payload)
}

type shedsAloud struct{ pool.Service }

func (m shedsAloud) SubmitKeyed(id pool.PoolID, key, tag uint64, payload []byte) (pool.WorkerID, error) {
	worker, err := m.Service.SubmitKeyed(id, key, tag, payload)
	if worker == 0 && err == nil {
		err = pool.ErrPoolBackpressure
	}
	return worker, err
}

type wrapsFull struct{ pool.Service }

func (m wrapsFull) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	worker, err := m.Service.Submit(id, tag, payload)
	if err == pool.ErrPoolBackpressure {
		err = fmt.Errorf("task %d: %w", tag, err)
	}
	return worker, err
}

type broadcastsToOne struct{ pool.Service }

func (m broadcastsToOne) Broadcast(id pool.PoolID, tag uint64, payload []byte) (int, error) {
	_, err := m.Service.Submit(id, tag, payload)
	return 1, err
}

type countsMissed struct{ pool.Service }

func (m countsMissed) Broadcast(id pool.PoolID, tag uint64, payload []byte) (int, error) {
	before, _ := m.Service.Stats(id)
	_, err := m.Service.Broadcast(id, tag, payload)
	return len(before.Workers), err
}

type waitsNever struct{ pool.Service }

func (m waitsNever) SubmitWait(_ context.Context, id pool.PoolID, task pool.Task) (pool.WorkerID, error) {
	return m.Service.SubmitTask(id, task)
}

type retries struct{ pool.Service }

func (m retries) SubmitWait(ctx context.Context, id pool.PoolID, task pool.Task) (pool.WorkerID, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	for {
		worker, err := m.Service.SubmitTask(id, task)
		if err != pool.ErrPoolBackpressure && err != pool.ErrPoolEmpty {
			return worker, err
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

type waitsForEver struct{ pool.Service }

func (m waitsForEver) SubmitWait(_ context.Context, id pool.PoolID, task pool.Task) (pool.WorkerID, error) {
	return m.Service.SubmitWait(context.Background(), id, task)
}
