package service_test

import (
	"time"

	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/strategy"
	"github.com/JairusSW/pool/supervise"
	"pgregory.net/rapid"
)

// create makes a pool.
func (m *modelMachine) create(t *rapid.T) {
	if len(m.pools) == 2 {
		t.SkipNow()
	}
	p, opts := drawPool(t)
	m.begin()
	id, err := m.stage.Pools.Create(m.owner.Caller, 0, opts)
	t.Logf("create pool %d: %v, size %d to %d, target %d, %v, queue %d, %v, restarts %d in %v, retries %d, timeout %v: %v",
		id, opts.Strategy, p.opts.MinWorkers, opts.MaxWorkers, opts.TargetPerWorker, opts.Overflow, opts.Worker.QueueCapacity,
		opts.Restart, opts.MaxRestarts, opts.RestartWindow, opts.Retries, opts.TaskTimeout, err)
	if m.places() < p.base {
		if err != service.ErrPoolWorkerLimit {
			t.Fatal("there are too many workers")
		}
		m.absorb(t)
		return
	}
	m.must(t, err)
	p.id = id
	m.pools = append(m.pools, p)
	m.reconciles(p)
	m.absorb(t)
}

func drawPool(t *rapid.T) (*modelPool, service.Options) {
	opts := service.Options{
		Strategy: rapid.SampledFrom([]strategy.Kind{
			strategy.RoundRobin, strategy.LeastLoaded, strategy.Random, strategy.PowerOfTwo, strategy.ConsistentHash,
		}).Draw(t, "strategy"),
		Overflow: rapid.SampledFrom([]service.OverflowPolicy{
			service.OverflowSpill, service.OverflowReject, service.OverflowShed,
		}).Draw(t, "overflow"),
		Restart:     rapid.SampledFrom([]supervise.Policy{supervise.OnFailure, supervise.Always, supervise.Never}).Draw(t, "restart"),
		MaxRestarts: rapid.SampledFrom([]uint32{1, 3, service.DefaultMaxRestarts, service.UnlimitedRestarts}).Draw(t, "restarts"),
		MinWorkers:  uint32(rapid.IntRange(1, 3).Draw(t, "min")),
		HashSeed:    1,
		Worker: service.WorkerOptions{
			QueueCapacity: uint32(rapid.IntRange(1, 3).Draw(t, "queue")), MaxPayloadBytes: 8, MaxQueueBytes: 1 << 10,
		},
		Retries:        uint32(rapid.IntRange(0, 2).Draw(t, "retries")),
		RestartWindow:  rapid.SampledFrom([]time.Duration{10 * time.Second, service.Lifetime}).Draw(t, "window"),
		TaskTimeout:    rapid.SampledFrom([]time.Duration{0, 0, 3 * time.Second}).Draw(t, "timeout"),
		ScaleDownDelay: 5 * time.Second,
	}
	opts.MaxWorkers = opts.MinWorkers + uint32(rapid.IntRange(0, 2).Draw(t, "more"))
	p := &modelPool{opts: opts, base: int(opts.MinWorkers)}
	if opts.MaxWorkers == opts.MinWorkers || !rapid.Bool().Draw(t, "elastic") {
		return p, opts
	}
	opts.TargetPerWorker = uint32(rapid.IntRange(1, 3).Draw(t, "target"))
	p.elastic, p.opts = true, opts
	if rapid.Bool().Draw(t, "floorless") {
		p.floorless, p.base, p.opts.MinWorkers, opts.MinWorkers = true, 0, 0, service.NoWorkers
	}
	return p, opts
}
