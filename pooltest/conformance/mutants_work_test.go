package conformance_test

import (
	"context"
	"errors"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// The mutants of results, of settling, and of what becomes of workers.

type kindOnly struct{ pool.Service }

func (m kindOnly) Call(ctx context.Context, id pool.PoolID, task pool.Task) ([]byte, error) {
	result, err := m.Service.Call(ctx, id, task)
	var ended *pool.TaskError
	if errors.As(err, &ended) {
		err = ended.Kind
	}
	return result, err
}

type noResult struct{ pool.Service }

func (m noResult) Complete(caller wago.HostModule, _ []byte) error {
	return m.Service.Complete(caller, nil)
}

type settlesAgain struct{ pool.Service }

func (m settlesAgain) Complete(caller wago.HostModule, result []byte) error {
	if err := m.Service.Complete(caller, result); err != pool.ErrNoTask {
		return err
	}
	return nil
}

type dispatchesForEver struct{ pool.Service }

func (m dispatchesForEver) DispatchNext(_ context.Context, caller wago.HostModule) error {
	return m.Service.DispatchNext(context.Background(), caller)
}

type cutsResults struct{ pool.Service }

func (m cutsResults) Complete(caller wago.HostModule, result []byte) error {
	err := m.Service.Complete(caller, result)
	for err == pool.ErrPayloadTooLarge {
		result = result[:len(result)-1]
		err = m.Service.Complete(caller, result)
	}
	return err
}

type noFailures struct{ pool.Service }

func (m noFailures) Stats(id pool.PoolID) (pool.PoolStats, error) {
	stats, err := m.Service.Stats(id)
	stats.Done, stats.FailedTasks = stats.Done+stats.FailedTasks, 0
	return stats, err
}

type zeroAttempts struct{ pool.Service }

func (m zeroAttempts) Current(caller wago.HostModule) (pool.Task, error) {
	task, err := m.Service.Current(caller)
	task.Attempt = max(task.Attempt, 1) - 1
	return task, err
}

type rearmsNever struct{ pool.Service }

func (m rearmsNever) Rearm(id pool.PoolID) error {
	_, err := m.Service.Stats(id)
	return err
}

type lenient struct{ pool.Service }

func (m lenient) Create(caller wago.HostModule, entry uint32, options pool.PoolOptions) (pool.PoolID, error) {
	if options.MaxRestarts > 0 && options.MaxRestarts < pool.UnlimitedRestarts {
		options.MaxRestarts++
	}
	return m.Service.Create(caller, entry, options)
}

type scalesLess struct{ pool.Service }

func (m scalesLess) Scale(caller wago.HostModule, id pool.PoolID, size uint32) error {
	return m.Service.Scale(caller, id, max(size, 1)-1)
}

type noCeiling struct{ pool.Service }

func (m noCeiling) Scale(caller wago.HostModule, id pool.PoolID, size uint32) error {
	if err := m.Service.Scale(caller, id, size); err != pool.ErrPoolWorkerLimit {
		return err
	}
	return nil
}

type supervisesNever struct{ pool.Service }

func (m supervisesNever) Supervise(ctx context.Context, caller wago.HostModule, id pool.PoolID) error {
	if err := m.Service.Reconcile(caller, id); err != nil {
		return err
	}
	return m.Service.DrainWait(ctx, id)
}

type supervisesTwice struct{ pool.Service }

func (m supervisesTwice) Supervise(ctx context.Context, caller wago.HostModule, id pool.PoolID) error {
	if err := m.Service.Supervise(ctx, caller, id); err != pool.ErrPoolSupervised {
		return err
	}
	return nil
}

type drainDestroys struct{ pool.Service }

func (m drainDestroys) Drain(id pool.PoolID) error { return m.Service.Destroy(id) }

type drainsSoon struct{ pool.Service }

func (m drainsSoon) DrainWait(_ context.Context, id pool.PoolID) error { return m.Service.Drain(id) }

type destroysSoon struct{ pool.Service }

func (m destroysSoon) Destroy(id pool.PoolID) error {
	gone := make(chan error, 1)
	go func() { gone <- m.Service.Destroy(id) }()
	select {
	case err := <-gone:
		return err
	case <-time.After(time.Nanosecond): // of the bubble's time: the destruction has got as far as waiting
		return nil
	}
}

type destroyDrains struct{ pool.Service }

func (m destroyDrains) Destroy(id pool.PoolID) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := m.Service.DrainWait(ctx, id); err == pool.ErrPoolNotFound {
		return err
	}
	return nil
}
