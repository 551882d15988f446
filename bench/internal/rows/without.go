package rows

// What figures would be without Pool, Workers and this host, of rows that may be short because of the machine, Go or wazero.
//
// P2: what Submit to 16 workers takes, and what the barest queues take more at 1 024 than at 16, over the former. For each worker
// these have two rings behind a lock each, one for 64 bytes of a ledger, and one, found by the worker's id as the contract has it,
// for the message with its payload's copy. They are filled as P2 fills mailboxes, in turn or at random, and emptied off the clock on
// both cores. Of consistent hashing, a random one of 160 places for each queue, 8 bytes, says which queue it is. What they lose is
// lost to caches.
//
// P10: a Go channel with P10's producer and four goroutines, each with an instance of plain wazero: each kilobyte is copied on the
// producer's core and read on a worker's.
//
// P5b: the barest pool there can be: a goroutine and an instance of plain wazero for each processor on one Go channel. A caller's
// kilobyte is copied, for a task may outlive the wait for it, and its digest comes back through the caller's own channel.

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// alone is what a round measures by itself.
func alone(open func(*measure.Bench) (measure.Round, error)) func(*measure.Bench) (measure.Without, error) {
	return func(b *measure.Bench) (measure.Without, error) {
		round, err := open(b)
		return func(measure.Sample) (float64, error) {
			s, err := round()
			return s.Figure, err
		}, err
	}
}

// barestGrowth is P2, whose second side is Submit to 16 workers.
func barestGrowth(order func(queues int) func() int) func(*measure.Bench) (measure.Without, error) {
	return func(b *measure.Bench) (measure.Without, error) {
		more := func(costs []float64) float64 { return costs[0] - costs[1] }
		round, err := b.Costs(more, bare(many, order(many)), bare(usual, order(usual)))
		return func(ours measure.Sample) (float64, error) {
			bare, err := round()
			few := ours.Sides[1]
			return (few + bare.Figure) / few, err
		}, err
	}
}

func barestCores(guest []byte) func(*measure.Bench) (measure.Without, error) {
	return alone(func(b *measure.Bench) (measure.Round, error) {
		tasks, err := fedLoop(b, guest, coreWorkers)
		if err != nil {
			return nil, err
		}
		return b.RateOver(on(2, tasks), on(1, tasks))
	})
}

func barestCallers(guest []byte) func(*measure.Bench) (measure.Without, error) {
	return alone(func(b *measure.Bench) (measure.Round, error) {
		served, err := channelServed(b, guest)
		if err != nil {
			return nil, err
		}
		self, err := selfServed(b, guest, direct.Plain)
		if err != nil {
			return nil, err
		}
		return b.RateOver(served, self)
	})
}

// fedLoop is n digests by so many instances on one channel.
func fedLoop(b *measure.Bench, guest []byte, size int) (measure.Timed, error) {
	instances, err := directInstances(b, guest, direct.Plain, size)
	if err != nil {
		return nil, err
	}
	return func(n int) (time.Duration, error) {
		return measure.Clock(func() error {
			return throughLoop(b.Context, instances, (*direct.Instance).Each, func(tasks chan<- direct.Task) {
				for range n {
					tasks <- direct.Task{Tag: 1, Payload: bytes.Clone(kilobyte)}
				}
			})
		})
	}, nil
}

// request is a task whose caller waits.
type request struct {
	payload []byte
	digest  chan<- []byte
}

// channelServed is n digests for callers who wait for an instance's goroutine.
func channelServed(b *measure.Bench, guest []byte) (measure.Timed, error) {
	instances, err := directInstances(b, guest, direct.Plain, processors())
	if err != nil {
		return nil, err
	}
	requests, f := make(chan request, room), &failure{}
	var serving sync.WaitGroup
	for _, in := range instances {
		serving.Go(func() {
			for r := range requests {
				digest := make([]byte, digestBytes)
				f.note(digestOf(b.Context, in, r.payload, digest))
				r.digest <- digest
			}
		})
	}
	b.OnClose(func() error {
		close(requests)
		serving.Wait()
		return nil
	})
	return func(n int) (time.Duration, error) {
		took, err := measure.Clock(func() error {
			return byCallers(n, func() func() {
				digest := make(chan []byte, 1)
				return func() {
					requests <- request{bytes.Clone(kilobyte), digest}
					<-digest
				}
			})
		})
		return took, errors.Join(err, f.err())
	}, nil
}

func inTurn(queues int) func() int {
	at := -1
	return func() int {
		if at++; at == queues {
			at = 0
		}
		return at
	}
}

func atRandom(queues int) func() int {
	random := rand.New(rand.NewPCG(1, 2))
	return func() int { return random.IntN(queues) }
}

// place is as large as a point of the hash ring.
type place struct{ _, queue uint32 }

func byPlaces(queues int) func() int {
	const each = 160
	places := make([]place, each*queues)
	for i, at := range rand.New(rand.NewPCG(3, 4)).Perm(len(places)) {
		places[at].queue = uint32(i / each)
	}
	next := atRandom(len(places))
	return func() int { return int(places[next()].queue) }
}

// bareLedger and bareMailbox are two rings. What is put into them is not read by anybody but the garbage collector.
type bareLedger struct {
	mu      sync.Mutex
	id      uint64 // of the mailbox
	entries []bareEntry
	_       [24]byte // a cache line
}

type bareEntry struct {
	tag, key uint64
	_        [3]uint64 // times, a caller, counts
	payload  []byte
}

type bareMailbox struct {
	mu       sync.Mutex
	messages []bareMessage
	_        [32]byte // a cache line
}

type bareMessage struct {
	tag     uint64
	payload []byte
}

// bareQueues are ledgers and mailboxes.
type bareQueues struct {
	ledgers   []*bareLedger
	mailboxes []*bareMailbox // by id
}

func newBareQueues(n int) bareQueues {
	var all bareQueues
	for id := range uint64(n) {
		all.ledgers = append(all.ledgers, &bareLedger{id: id})
		all.mailboxes = append(all.mailboxes, new(bareMailbox))
	}
	return all
}

func (all bareQueues) put(queue int, tag uint64, payload []byte) {
	payload = bytes.Clone(payload)
	l := all.ledgers[queue]
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, bareEntry{tag: tag, key: tag, payload: payload})
	box := all.mailboxes[l.id]
	box.mu.Lock()
	defer box.mu.Unlock()
	box.messages = append(box.messages, bareMessage{tag: tag, payload: payload})
}

func (all bareQueues) empty(from, n int) {
	for _, l := range all.ledgers[from : from+n] {
		box := all.mailboxes[l.id]
		clear(l.entries)
		clear(box.messages)
		l.entries, box.messages = l.entries[:0], box.messages[:0]
	}
}

// bare is n tasks into so many queues, in the order of next.
func bare(queues int, next func() int) measure.Timed {
	all := newBareQueues(queues)
	put := func(from, n int) error {
		for tag := uint64(from); tag < uint64(from+n); tag++ {
			all.put(next(), tag, smallPayload)
		}
		return nil
	}
	empty := func() error {
		return together(processors(), 0, queues, func(_, from, n int) error {
			all.empty(from, n)
			return nil
		})
	}
	return deeply(func(n int) (time.Duration, error) { return filling(n, filledDeep, put, empty) })
}
