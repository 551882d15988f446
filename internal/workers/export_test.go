package workers

import (
	"context"
	"encoding/json"
	"unsafe"

	wago "github.com/wago-org/wago"
)

// What the tests of package workers_test need from inside.

// WorkerBytes is how large a worker is.
const WorkerBytes = unsafe.Sizeof(worker{})

// Mailbox is a worker's queue.
type Mailbox struct{ box mailbox }

// Push appends a message.
func (m *Mailbox) Push(tag uint64, payload []byte) { m.box.push(message{tag, payload}) }

// Pop takes the oldest.
func (m *Mailbox) Pop() (tag uint64, payload []byte) {
	msg := m.box.pop()
	return msg.tag, msg.payload
}

// Clear drops all.
func (m *Mailbox) Clear() { m.box.clear() }

// State returns the number of messages, their bytes, and the slots of the ring.
func (m *Mailbox) State() (count int, bytes uint64, slots int) {
	return int(m.box.count), uint64(m.box.bytes), len(m.box.ring)
}

// Retained returns how many slots still hold a payload.
func (m *Mailbox) Retained() (n int) {
	for _, msg := range m.box.ring {
		if msg.payload != nil {
			n++
		}
	}
	return n
}

// Table finds workers.
type Table struct{ table table }

// Put adds a worker of that ID.
func (t *Table) Put(id WorkerID) { t.table.put(&worker{id: id}) }

// Remove takes it out.
func (t *Table) Remove(id WorkerID) { t.table.remove(id) }

// Get returns which worker is found under an ID; 0 for none.
func (t *Table) Get(id WorkerID) WorkerID {
	if w := t.table.get(id); w != nil {
		return w.id
	}
	return 0
}

// Quota is a service's account.
type Quota struct{ quota quota }

// NewQuota returns an account with limits, zero ones meaning the defaults.
func NewQuota(limits WorkerLimits) *Quota { return &Quota{quota{limits: limits.normalize()}} }

// Reserve charges a worker.
func (q *Quota) Reserve(bytes uint32) error { return q.quota.reserve(bytes) }

// Release gives it back.
func (q *Quota) Release(bytes uint32) { q.quota.release(bytes) }

// Limits are the account's.
func (q *Quota) Limits() WorkerLimits { return q.quota.limits }

// Normalize fills in the defaults and checks the bounds.
func (o WorkerOptions) Normalize() (WorkerOptions, error) { return o.normalize() }

// DecodeLimits reads a configuration.
func DecodeLimits(raw json.RawMessage) (WorkerLimits, error) { return decodeLimits(raw) }

// Classify says how a worker ended.
func Classify(end, cause error, failed bool) (WorkerExitKind, error) {
	return classify(end, cause, failed)
}

// Problems are what went wrong unseen.
type Problems struct{ problems problems }

// Add takes one more.
func (p *Problems) Add(err error) { p.problems.add(err, causesOf(err)) }

// Join returns all of them.
func (p *Problems) Join() error { return p.problems.join() }

// Causes returns how many causes are kept of those that were cut off.
func (p *Problems) Causes() int { return len(p.problems.more.causes) }

// SetLastID makes the next worker's ID the one after.
func (s *Workers) SetLastID(id WorkerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID = id
}

// Shutdown is the plugin's Stop.
func (s *Workers) Shutdown(ctx context.Context) error { return s.shutdown(ctx) }

// ForkError translates the host's.
func (s *Workers) ForkError(caller wago.HostModule, err error, closing <-chan struct{}) error {
	return s.forkError(caller, err, closing)
}

// Leftovers counts what the service still holds: workers, creators, table entries, observers that are leaving.
func (s *Workers) Leftovers() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = len(s.live) + len(s.creators) + int(s.quota.live) + int(s.quota.bytes) + s.byID.live
	s.observers.mu.Lock()
	defer s.observers.mu.Unlock()
	return n + len(s.observers.leaving)
}

var _ wago.Plugin = (*plugin)(nil)
