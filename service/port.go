package service

import (
	"errors"
	"time"

	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// What Workers may offer beyond its contract. Each has a fallback in this file.
type (
	ownedSender interface {
		SendOwned(id WorkerID, tag uint64, payload []byte) error
	}
	retirer interface {
		Retire(id WorkerID) error
	}
	graceKiller interface {
		KillWithin(id WorkerID, grace time.Duration, cause error) error
	}
	closeWatcher interface {
		Closing(caller wago.HostModule) (<-chan struct{}, error)
	}
	identifier interface {
		Identity(caller wago.HostModule) (wago.InstanceIdentity, error)
	}
	ceiling interface {
		Ceiling() (setting string, limit, wanted uint64)
	}
)

// port is the Workers service inside a lease, extras included.
type port struct{ workers.Service }

func (w port) send(id WorkerID, tag uint64, payload []byte) error {
	if owned, ok := w.Service.(ownedSender); ok {
		return owned.SendOwned(id, tag, payload)
	}
	return w.Service.Send(id, tag, payload)
}

// retires reports whether Workers can retire a worker.
func (w port) retires() bool {
	_, ok := w.Service.(retirer)
	return ok
}

// retire stops an idle worker. Workers' own Kill does for lack of better: the mailbox is empty.
func (w port) retire(id WorkerID) {
	if soft, ok := w.Service.(retirer); ok {
		_ = soft.Retire(id) // an error means that it has gone already
		return
	}
	_ = w.Service.Kill(id)
}

// kill stops a worker; after grace it is interrupted, where Workers can.
func (w port) kill(id WorkerID, grace time.Duration, cause error) {
	if hard, ok := w.Service.(graceKiller); ok {
		_ = hard.KillWithin(id, grace, cause) // an error means that it has gone already
		return
	}
	_ = w.Service.Kill(id)
}

// closing returns a channel that closes when caller's instance begins to close; nil when Workers cannot tell.
func (w port) closing(caller wago.HostModule) (<-chan struct{}, error) {
	if watcher, ok := w.Service.(closeWatcher); ok {
		return watcher.Closing(caller)
	}
	return nil, w.valid(caller)
}

// identity returns who caller is; the zero identity when Workers cannot tell.
func (w port) identity(caller wago.HostModule) (wago.InstanceIdentity, error) {
	if who, ok := w.Service.(identifier); ok && caller != nil {
		return who.Identity(caller)
	}
	return wago.InstanceIdentity{}, w.valid(caller)
}

// valid reports whether caller is in a live call: linking worker 0, which never exists, fails for another reason then.
func (w port) valid(caller wago.HostModule) error {
	if caller == nil {
		return workers.ErrInvalidWorkerCaller
	}
	if err := w.Link(caller, 0); errors.Is(err, workers.ErrInvalidWorkerCaller) {
		return err
	}
	return nil
}
