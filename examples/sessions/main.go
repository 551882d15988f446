// Command sessions keeps shopping carts in the memory of guests, and has them survive a crash.
//
//	go run ./examples/sessions
//
// ConsistentHash sends every task of a session, its key, to the same worker, which remembers the session. When a worker
// crashes, its memory is gone, but no key moves: the replacement has the same place on the ring. So only the sessions of the
// worker that crashed are built again, each from its journal when it is next used.
package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/examples/internal/program"
)

//go:embed carts.wasm
var guest []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	return program.Program{
		Guest: guest,
		Options: pool.PoolOptions{
			MinWorkers: 3, Strategy: pool.ConsistentHash, HashSeed: 7, // a seed: the same homes each time
			Overflow: pool.OverflowReject, // a Call waits for its session's own worker
		},
		Use: func(ctx context.Context, s pool.Service, id pool.PoolID) error {
			shop := &shop{Service: s, out: out, id: id, journal: make(map[uint64][]int32)}
			for _, price := range []int32{5, 20} {
				if err := shop.round(ctx, price); err != nil {
					return err
				}
			}
			if err := shop.crash(ctx, 1); err != nil {
				return err
			}
			return shop.round(ctx, 100)
		},
	}.Run(ctx)
}

// shop is what the host knows. The journal outlives every guest.
type shop struct {
	pool.Service
	out     io.Writer
	id      pool.PoolID
	journal map[uint64][]int32
}

// round puts something into the cart of each of six sessions.
func (s *shop) round(ctx context.Context, price int32) error {
	for session := uint64(1); session <= 6; session++ {
		if err := s.add(ctx, session, price); err != nil {
			return err
		}
	}
	return nil
}

// add puts something into a session's cart. A worker that doesn't know the session is told the whole journal.
func (s *shop) add(ctx context.Context, session uint64, price int32) error {
	journal, how := append(s.journal[session], price), ""
	s.journal[session] = journal
	sum, err := s.tell(ctx, session, len(journal)-1, price)
	if err == nil && sum == -1 {
		how = ", built again"
		for things, price := range journal {
			if sum, err = s.tell(ctx, session, things, price); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(s.out, "session %d at worker %d: %d%s\n", session, s.home(session), sum, how)
	return err
}

// tell gives the session's worker one task.
func (s *shop) tell(ctx context.Context, session uint64, things int, price int32) (int32, error) {
	result, err := s.Call(ctx, s.id, pool.Task{Key: session, Payload: task(session, things, price)})
	if err != nil {
		return 0, err
	}
	return int32(binary.LittleEndian.Uint32(result)), nil
}

func task(session uint64, things int, price int32) []byte {
	payload := binary.LittleEndian.AppendUint64(nil, session)
	payload = binary.LittleEndian.AppendUint32(payload, uint32(things))
	return binary.LittleEndian.AppendUint32(payload, uint32(price))
}

// home is the worker that gets the tasks of a session. This task's cart is too full for anybody to know it.
func (s *shop) home(session uint64) pool.WorkerID {
	worker, _ := s.SubmitKeyed(s.id, session, 0, task(session, 1<<20, 0)) // 0: refused
	return worker
}

// crash runs into the guest's bug and waits for the replacement. Without the wait the sums would be right, too, but sessions
// might be built at other homes for a moment.
func (s *shop) crash(ctx context.Context, session uint64) error {
	_, err := s.tell(ctx, session, 0, -1)
	fmt.Fprintln(s.out, "crash:", err != nil)
	for err = nil; err == nil && s.home(session) <= 3; { // the replacement is worker 4
		_, err = s.tell(ctx, session, 1<<20, 0)
	}
	return err
}
