package soak_test

import (
	"context"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// Short names, for the mutants' signatures.
type (
	service  = pool.Service
	poolID   = pool.PoolID
	workerID = pool.WorkerID
)

// mutant is Pool's contract with one fault.
type mutant struct {
	service
	stats      func(pool.PoolStats) pool.PoolStats
	submit     func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error)
	submitWait func(ctx context.Context, s pool.Service, id pool.PoolID, task pool.Task) (pool.WorkerID, error)
	call       func(result []byte, err error) ([]byte, error)
	broadcast  func(n int, err error) (int, error)
	current    func(pool.Task) pool.Task
	complete   func(s pool.Service, caller wago.HostModule, result []byte) error
	dispatch   func(error) error
	destroy    func(s pool.Service, id pool.PoolID) error
	drainWait  func(ctx context.Context, s pool.Service, id pool.PoolID) error
	scale      func(s pool.Service, caller wago.HostModule, id pool.PoolID, size uint32) error
	create     func(s pool.Service, caller wago.HostModule, entry uint32, opts pool.PoolOptions) (pool.PoolID, error)
	observe    func(fn func(*pool.PoolEvent)) func(*pool.PoolEvent)
	leave      func(s pool.Service, sub pool.EventSubscription) error
	list       func([]pool.PoolID) []pool.PoolID
}

func (m mutant) Stats(id pool.PoolID) (pool.PoolStats, error) {
	stats, err := m.service.Stats(id)
	if m.stats != nil && err == nil {
		stats = m.stats(stats)
	}
	return stats, err
}

func (m mutant) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	if m.submit != nil {
		return m.submit(m.service, id, tag, payload)
	}
	return m.service.Submit(id, tag, payload)
}

func (m mutant) SubmitWait(ctx context.Context, id pool.PoolID, task pool.Task) (pool.WorkerID, error) {
	if m.submitWait != nil {
		return m.submitWait(ctx, m.service, id, task)
	}
	return m.service.SubmitWait(ctx, id, task)
}

func (m mutant) Call(ctx context.Context, id pool.PoolID, task pool.Task) ([]byte, error) {
	result, err := m.service.Call(ctx, id, task)
	if m.call != nil {
		return m.call(result, err)
	}
	return result, err
}

func (m mutant) Broadcast(id pool.PoolID, tag uint64, payload []byte) (int, error) {
	n, err := m.service.Broadcast(id, tag, payload)
	if m.broadcast != nil {
		return m.broadcast(n, err)
	}
	return n, err
}

func (m mutant) Current(caller wago.HostModule) (pool.Task, error) {
	task, err := m.service.Current(caller)
	if m.current != nil && err == nil {
		task = m.current(task)
	}
	return task, err
}

func (m mutant) Complete(caller wago.HostModule, result []byte) error {
	if m.complete != nil {
		return m.complete(m.service, caller, result)
	}
	return m.service.Complete(caller, result)
}

func (m mutant) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	err := m.service.DispatchNext(ctx, caller)
	if m.dispatch != nil {
		return m.dispatch(err)
	}
	return err
}

func (m mutant) Destroy(id pool.PoolID) error {
	if m.destroy != nil {
		return m.destroy(m.service, id)
	}
	return m.service.Destroy(id)
}

func (m mutant) DrainWait(ctx context.Context, id pool.PoolID) error {
	if m.drainWait != nil {
		return m.drainWait(ctx, m.service, id)
	}
	return m.service.DrainWait(ctx, id)
}

func (m mutant) Scale(caller wago.HostModule, id pool.PoolID, size uint32) error {
	if m.scale != nil {
		return m.scale(m.service, caller, id, size)
	}
	return m.service.Scale(caller, id, size)
}

func (m mutant) Create(caller wago.HostModule, entry uint32, opts pool.PoolOptions) (pool.PoolID, error) {
	if m.create != nil {
		return m.create(m.service, caller, entry, opts)
	}
	return m.service.Create(caller, entry, opts)
}

func (m mutant) ObserveEvents(fn func(*pool.PoolEvent)) (pool.EventSubscription, error) {
	if m.observe != nil {
		fn = m.observe(fn)
	}
	return m.service.ObserveEvents(fn)
}

func (m mutant) UnsubscribeEvents(sub pool.EventSubscription) error {
	if m.leave != nil {
		return m.leave(m.service, sub)
	}
	return m.service.UnsubscribeEvents(sub)
}

func (m mutant) List() []pool.PoolID {
	if m.list != nil {
		return m.list(m.service.List())
	}
	return m.service.List()
}
