package service_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// BenchmarkRefusedSubmit submits tasks of 16 bytes in turn to a pool that is full and to one that has room, and reports both
// costs and their ratio: a refusal is to cost no more than an acceptance, at any size of the pool. Where only the home of the key
// is full, the others have room.
func BenchmarkRefusedSubmit(b *testing.B) {
	for name, opts := range map[string]pool.PoolOptions{
		"every mailbox full, spill":  {},
		"every mailbox full, reject": {Overflow: pool.OverflowReject},
		"every mailbox full, shed":   {Overflow: pool.OverflowShed},
		"the home full, reject":      {Overflow: pool.OverflowReject, Strategy: pool.ConsistentHash},
		"the home full, shed":        {Overflow: pool.OverflowShed, Strategy: pool.ConsistentHash},
	} {
		for _, size := range []uint32{1, 16, 64} {
			b.Run(name+"/"+strconv.Itoa(int(size)), func(b *testing.B) {
				r := rig.New(b, rig.Config{Bare: true, Settings: map[string]string{
					workers.PluginID: `{"maxQueueBytes":4294967296,"maxLiveWorkers":128}`,
				}})
				r.ShutGates()
				opts.MinWorkers = size
				f := &refusals{b: b, s: r.Service.Service, owner: r.Owner(), opts: opts, payload: make([]byte, 16)}
				f.run()
			})
		}
	}
}

// refusals is a benchmark of a full pool beside one with room, whose workers take nothing.
type refusals struct {
	b       *testing.B
	s       pool.Service
	owner   *rig.Owner
	opts    pool.PoolOptions
	payload []byte
}

// turn is how many submits are timed at once.
const turn = 1 << 15

func (f *refusals) run() {
	full := f.create(1)
	f.submit(full, int(f.opts.MinWorkers))
	var refused, accepted time.Duration
	f.b.ReportAllocs()
	f.b.ResetTimer()
	for done := 0; done < f.b.N; done += turn {
		n := min(turn, f.b.N-done)
		f.b.StopTimer()
		roomy := f.create(turn)
		accepted += f.submit(roomy, n)
		require.NoError(f.b, f.s.Destroy(roomy))
		f.b.StartTimer()
		refused += f.submit(full, n)
	}
	f.b.StopTimer()
	require.NoError(f.b, f.s.Destroy(full))
	n := float64(f.b.N)
	f.b.ReportMetric(float64(refused)/n, "refused-ns/op")
	f.b.ReportMetric(float64(accepted)/n, "accepted-ns/op")
	f.b.ReportMetric(float64(refused)/float64(accepted), "refused/accepted")
	f.b.ReportMetric(0, "ns/op")
}

func (f *refusals) create(mailbox uint32) pool.PoolID {
	f.opts.Worker.QueueCapacity = mailbox
	id, err := f.s.Create(f.owner.Caller, rig.EntryLoop, f.opts)
	require.NoError(f.b, err)
	return id
}

func (f *refusals) submit(id pool.PoolID, n int) time.Duration {
	begun := time.Now()
	for range n {
		_, _ = f.s.SubmitKeyed(id, 0, 1, f.payload) // refused or not: that is what is compared
	}
	return time.Since(begun)
}
