package workerstest

import (
	"context"
	"time"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Harness is one Workers service with a consumer and a scripted guest. It is made for one check.
//
// Safe for concurrent use.
type Harness interface {
	// Service is the service to be examined.
	Service() workers.Service
	// Script sets what all guests do from now on. Guests that run before the first Script return at once.
	Script(Script)
	// Owner opens one more instance from whose host calls workers are spawned, all of the same module. Its own start section
	// does nothing.
	Owner() (Owner, error)
	// Entry is the table index of the worker's function; BadEntries are indexes that can't be one: another type, null, out of
	// range.
	Entry() uint32
	BadEntries() []uint32
	// Limits are the service's, small enough to be used up: at most 16 workers, at least 4.
	Limits() workers.WorkerLimits
	// Grace is how long a worker that was told to stop may take to come back.
	Grace() time.Duration
	// Context ends when the consumer is told to stop. A script passes it to DispatchNext.
	Context() context.Context
	// Guests counts the instances that exist, owners included.
	Guests() int
	// Close ends everything as a runtime's close does: owners, consumer, service. It returns what the service's Stop returns,
	// perhaps joined with more. Again is fine and does nothing.
	Close() error
}

// Owner is an instance that creates workers.
//
// Safe for concurrent use; Call only after the Call before it has returned.
type Owner interface {
	// Call runs f inside a host call of the instance. The caller is good until f returns.
	Call(f func(caller wago.HostModule)) error
	// Close closes the instance. It returns when the workers linked to it have gone.
	Close() error
}

// Script is what the guests do. Both functions run inside a host call of the guest; nil means Return.
type Script struct {
	// Start is run once by the start section of every worker.
	Start func(caller wago.HostModule) Act
	// Step is run by every worker, until it answers something else than Again.
	Step func(caller wago.HostModule) Act
}

// Act is what a guest does next.
type Act uint8

// The acts. Again is Return for a start section.
const (
	Again  Act = iota // makes the host call again
	Return            // returns from its function
	Trap              // executes unreachable
	Spin              // never comes back by itself
	Exit0             // exits with code 0, from the host call
	Exit7             // exits with code 7
	Abort             // the host call traps with ErrAborted
)

// ErrAborted is the error of the host trap that Abort makes.
const ErrAborted workers.Error = "workerstest: aborted"

// The extras an implementation may have; see the methods of the same names of workers.Workers.
type (
	// Owned takes payloads without a copy.
	Owned interface {
		SendOwned(id workers.WorkerID, tag uint64, payload []byte) error
	}
	// Retirer lets workers end when they have nothing left to do.
	Retirer interface {
		Retire(id workers.WorkerID) error
	}
	// Terminator kills with a cause and a grace.
	Terminator interface {
		KillWithin(id workers.WorkerID, grace time.Duration, cause error) error
	}
	// Closer tells callers that their end begins.
	Closer interface {
		Closing(caller wago.HostModule) (<-chan struct{}, error)
	}
	// Identifier tells callers apart.
	Identifier interface {
		Identity(caller wago.HostModule) (wago.InstanceIdentity, error)
	}
)
