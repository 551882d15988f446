package rows

// "bound": what the machine allows, measured without Pool, Workers or the host, for rows that may be short because of it.
//
// "bound round-robin", "bound random" and "bound consistent-hash" are P2 of the barest queues: for each worker two rings behind a
// lock each, one for 64 bytes of a ledger, one for the message with the copy of its payload. They are filled as P2 fills
// mailboxes, in turn or at random, and emptied off the clock on both cores. Under "consistent-hash" a random one of 160 places
// for each queue, 16 bytes, says which queue it is. What these lose at 1 024 queues is lost to caches: nobody who puts tasks into
// so many places in such an order can lose less.
//
// "bound cores" is P10 without a pool: plain wazero, an instance for each core, and nothing that they share. "bound cores fed" has
// P10's producer and its four workers besides: each kilobyte is copied on the producer's core and read on a worker's.
//
// "bound callers" is P5b with the barest pool there can be: a goroutine and an instance for each processor on one Go channel, on
// plain wazero. A caller's kilobyte is copied, for a task may outlive the wait for it, and its digest comes back through a channel.

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/measure"
)

func boundRows(g Guests) []measure.Row {
	rows := []measure.Row{{
		Name: "bound cores", What: "sha256 on plain wazero, two cores over one", Unit: measure.Ratio,
		Sides: []measure.Side{{Name: "two", Unit: measure.PerSecond}, {Name: "one", Unit: measure.PerSecond}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			if err := needTwo(); err != nil {
				return nil, err
			}
			e, err := openDirect(b, g.SHA256, direct.Plain)
			if err != nil {
				return nil, err
			}
			digests := apart(b, e)
			return b.RateOver(on(2, digests), on(1, digests))
		},
	}, {
		Name: "bound cores fed", What: "sha256 on plain wazero behind a Go channel, two cores over one", Unit: measure.Ratio,
		Sides: []measure.Side{{Name: "two", Unit: measure.PerSecond}, {Name: "one", Unit: measure.PerSecond}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			if err := needTwo(); err != nil {
				return nil, err
			}
			tasks, err := fedLoop(b, g.SHA256, 4)
			if err != nil {
				return nil, err
			}
			return b.RateOver(on(2, tasks), on(1, tasks))
		},
	}, {
		Name: "bound callers", What: "digests behind a Go channel, over callers with a semaphore", Unit: measure.Ratio,
		Sides: []measure.Side{{Name: "channel", Unit: measure.PerSecond}, {Name: "callers", Unit: measure.PerSecond}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			served, err := channelServed(b, g.SHA256)
			if err != nil {
				return nil, err
			}
			self, err := selfServed(b, g.SHA256, direct.Plain)
			if err != nil {
				return nil, err
			}
			return b.RateOver(served, self)
		},
	}}
	for _, order := range []struct {
		name string
		of   func(queues int) func() int
	}{{"round-robin", inTurn}, {"random", atRandom}, {"consistent-hash", byPlaces}} {
		rows = append(rows, measure.Row{
			Name: "bound " + order.name, What: "the barest queues, 1 024 over 16", Unit: measure.Ratio,
			Sides: []measure.Side{{Name: "at 1 024", Unit: measure.Nanoseconds}, {Name: "at 16", Unit: measure.Nanoseconds}},
			Open: func(b *measure.Bench) (measure.Round, error) {
				return b.CostOver(bare(many, order.of(many)), bare(usual, order.of(usual)))
			},
		})
	}
	return rows
}

// apart is n digests, divided among as many instances as there are processors.
func apart(b *measure.Bench, e *direct.Engine) measure.Timed {
	return func(n int) (time.Duration, error) {
		instances := make([]*direct.Instance, processors())
		for i := range instances {
			var err error
			if instances[i], err = e.New(b.Context); err != nil {
				return 0, err
			}
		}
		took, err := measure.Clock(func() error {
			return together(len(instances), 0, n, func(which, _, n int) error {
				for range n {
					if _, err := instances[which].Do(b.Context, kilobyte); err != nil {
						return err
					}
				}
				return nil
			})
		})
		for _, in := range instances {
			if closed := in.Close(b.Context); err == nil {
				err = closed
			}
		}
		return took, err
	}
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
			return byCallers(n, func() {
				digest := make(chan []byte, 1)
				requests <- request{bytes.Clone(kilobyte), digest}
				<-digest
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

// place is as large as a point of a hash ring.
type place struct {
	_     uint64
	queue uint32
	_     uint32
}

func byPlaces(queues int) func() int {
	const each = 160
	places := make([]place, each*queues)
	for i, at := range rand.New(rand.NewPCG(3, 4)).Perm(len(places)) {
		places[at].queue = uint32(i / each)
	}
	next := atRandom(len(places))
	return func() int { return int(places[next()].queue) }
}

// bareQueue is two rings. What is put into one is not read by anybody but the garbage collector.
type bareQueue struct {
	ledger   sync.Mutex
	entries  []bareEntry
	mailbox  sync.Mutex
	messages []bareMessage
}

type bareEntry struct {
	tag, key uint64
	_        [3]uint64 // times, a caller, counts
	payload  []byte
}

type bareMessage struct {
	tag     uint64
	payload []byte
}

func (q *bareQueue) put(tag uint64, payload []byte) {
	payload = bytes.Clone(payload)
	q.ledger.Lock()
	defer q.ledger.Unlock()
	q.entries = append(q.entries, bareEntry{tag: tag, key: tag, payload: payload})
	q.mailbox.Lock()
	defer q.mailbox.Unlock()
	q.messages = append(q.messages, bareMessage{tag: tag, payload: payload})
}

func (q *bareQueue) empty() {
	q.ledger.Lock()
	defer q.ledger.Unlock()
	q.mailbox.Lock()
	defer q.mailbox.Unlock()
	clear(q.entries)
	clear(q.messages)
	q.entries, q.messages = q.entries[:0], q.messages[:0]
}

// bare is n tasks into so many queues, in the order of next.
func bare(queues int, next func() int) measure.Timed {
	all := make([]*bareQueue, queues)
	for i := range all {
		all[i] = new(bareQueue)
	}
	put := func(from, n int) error {
		for tag := uint64(from); tag < uint64(from+n); tag++ {
			all[next()].put(tag, smallPayload)
		}
		return nil
	}
	empty := func() error {
		return together(processors(), 0, queues, func(_, from, n int) error {
			for _, q := range all[from : from+n] {
				q.empty()
			}
			return nil
		})
	}
	return func(n int) (time.Duration, error) { return filling(n, put, empty) }
}
