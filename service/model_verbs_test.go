package service_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/service"
	"pgregory.net/rapid"
)

// submit gives a task to a pool.
func (m *modelMachine) submit(t *rapid.T) {
	p := m.pool(t)
	how := rapid.SampledFrom([]string{"Submit", "SubmitKeyed", "SubmitTask", "SubmitFrom", "SubmitFrom by a stranger"}).Draw(t, "how")
	size := rapid.SampledFrom([]int{0, 0, 0, 8, 9}).Draw(t, "bytes")
	if how == "SubmitFrom by a stranger" && m.without == fakeworkers.Identity && len(p.workers) == 0 {
		t.SkipNow()
	}
	m.begin()
	m.loads[p]++
	task, payload := m.newTask(), make([]byte, size)
	var worker service.WorkerID
	var err error
	switch pools := m.stage.Pools; how {
	case "Submit":
		worker, err = pools.Submit(p.id, task.tag, payload)
	case "SubmitKeyed":
		worker, err = pools.SubmitKeyed(p.id, task.tag%4, task.tag, payload)
	case "SubmitTask":
		worker, err = pools.SubmitTask(p.id, service.Task{Tag: task.tag, Payload: payload})
	case "SubmitFrom":
		worker, err = pools.SubmitFrom(m.owner.Caller, p.id, task.tag, payload)
		m.reconciles(p)
	default:
		worker, err = pools.SubmitFrom(m.other.Caller, p.id, task.tag, payload)
	}
	t.Logf("%s to pool %d of task %d (%d bytes): worker %d, %v", how, p.id, task.tag, size, worker, err)
	m.verdict = func() { m.answered(t, p, task, size, worker, err) }
	m.absorb(t)
}

// answered holds what a submit returned against what it may return, given where everything was then.
func (m *modelMachine) answered(t *rapid.T, p *modelPool, task *modelTask, size int, worker service.WorkerID, err error) {
	shed := worker == 0 && err == nil && p.opts.Overflow == service.OverflowShed && !m.tells(service.PoolTaskRouted, task.tag)
	if m.reconciled[p] && worker == 0 && err == nil {
		m.reconciledLater[p] = true // a pool without workers may have to grow for the task itself
	}
	if err == nil && !shed {
		m.fresh[task.tag] = task
		return
	}
	want := error(service.ErrPoolBackpressure)
	switch {
	case p.draining:
		want = service.ErrPoolDraining
	case size > int(p.opts.Worker.MaxPayloadBytes):
		want = service.ErrPayloadTooLarge
	case p.live() == 0 && !p.floorless:
		want = service.ErrPoolEmpty
	case !p.mayBeFull():
		t.Fatalf("task %d was refused, and there is room: %v", task.tag, err)
	case p.opts.Overflow == service.OverflowShed:
		want = nil
		p.n.Shed++
		p.n.Submitted++
		if !m.tells(service.PoolTaskShed, task.tag) {
			t.Fatalf("no event tells that task %d was shed", task.tag)
		}
	}
	if err != want || err == nil && !shed {
		t.Fatalf("task %d of pool %d: %v, and not %v", task.tag, p.id, err, want)
	}
	if err != nil && err != service.ErrPoolDraining {
		p.n.Rejected++
		p.n.Submitted++
	}
}

// mayBeFull says whether a new task may be refused. What the strategy chooses is not known, so without spill one full worker
// is enough.
func (p *modelPool) mayBeFull() bool {
	left := p.left()
	switch {
	case left > 0:
		return left+len(p.waiting) >= p.parking()
	case p.opts.Overflow == service.OverflowSpill:
		return p.free() <= p.asking()
	}
	return p.asking() > 0 || p.roomy() < p.live()
}

// mayPark says whether a new task may be parked: behind others, or for lack of a worker. One that waited may have been parked
// before a worker joined, or when another had just found one.
func (p *modelPool) mayPark(waited bool) bool {
	left := p.left()
	behind := left > 0 || waited && len(p.parked) > 0
	return (waited || left < p.parking()) && (behind && p.live() > 0 || p.live() == 0 && p.floorless)
}

// free is how many messages the workers have room for.
func (p *modelPool) free() (n int) {
	for _, w := range p.workers {
		if w.routable() {
			n += p.room(w)
		}
	}
	return n
}

// left is how many tasks are parked when those that find room have gone. Of a worker that has just joined the model does not
// know yet what it got.
func (p *modelPool) left() int { return max(len(p.parked)-p.free(), 0) }

// wait begins a SubmitWait or a Call.
func (m *modelMachine) wait(t *rapid.T) {
	p := m.pool(t)
	isCall := rapid.Bool().Draw(t, "Call")
	m.begin()
	m.loads[p]++
	task := m.newTask()
	var w *modelWait
	if isCall {
		w = m.start(fmt.Sprintf("Call of task %d to pool %d", task.tag, p.id), func(ctx context.Context, w *modelWait) {
			w.got, w.err = m.stage.Pools.Call(ctx, p.id, service.Task{Tag: task.tag})
		})
	} else {
		w = m.start(fmt.Sprintf("SubmitWait of task %d to pool %d", task.tag, p.id), func(ctx context.Context, w *modelWait) {
			_, w.err = m.stage.Pools.SubmitWait(ctx, p.id, service.Task{Tag: task.tag})
		})
	}
	w.isCall, w.task, task.wait = isCall, task, w
	t.Logf("%s, over %t, %v", w.name, w.job.Over(), w.err)
	switch {
	case p.draining:
		w.settle(service.ErrPoolDraining, "")
	case p.halted && p.live() == 0:
		p.refuse(w, service.ErrPoolHalted)
	default:
		p.waiting = append(p.waiting, w)
	}
	m.absorb(t)
}

// cancel ends the context of a wait.
func (m *modelMachine) cancel(t *rapid.T) {
	if len(m.waits) == 0 {
		t.SkipNow()
	}
	w := rapid.SampledFrom(m.waits).Draw(t, "wait").self()
	m.begin()
	w.cancel()
	t.Logf("cancel %s", w.name)
	w.settle(context.Canceled, "")
	for _, p := range m.pools {
		if p.supervisor == w {
			p.supervisor = nil
		}
		for _, other := range p.waiting {
			if other == w {
				p.refuse(w, context.Canceled)
				break
			}
		}
	}
	m.absorb(t)
}

// self keeps rapid from printing all that hangs on a wait.
func (w *modelWait) self() *modelWait  { return w }
func (w *modelWait) String() string    { return w.name }
func (p *modelPool) String() string    { return fmt.Sprintf("pool %d", p.id) }
func (w *modelWorker) String() string  { return fmt.Sprintf("worker %d", w.id) }
func (w modelWorker) GoString() string { return w.String() }
func (w modelWait) GoString() string   { return w.name }
func (p modelPool) GoString() string   { return p.String() }

// broadcast offers a task to every worker.
func (m *modelMachine) broadcast(t *rapid.T) {
	p := m.pool(t)
	m.begin()
	m.loads[p] += p.live()
	task := m.newTask()
	n, err := m.stage.Pools.Broadcast(p.id, task.tag, nil)
	t.Logf("broadcast to pool %d of task %d: %d took it, %v", p.id, task.tag, n, err)
	m.legs[task.tag] = true
	m.verdict = func() {
		want, wantErr := p.roomy(), error(nil)
		switch {
		case p.draining:
			want, wantErr = 0, service.ErrPoolDraining
		case p.live() == 0:
			wantErr = service.ErrPoolEmpty
			p.n.Submitted++
			p.n.Rejected++
		default:
			p.n.Submitted++
			p.n.Rejected += uint64(p.live() - p.roomy())
		}
		if n != want || err != wantErr {
			t.Fatalf("%d of pool %d took task %d, %v, and not %d, %v", n, p.id, task.tag, err, want, wantErr)
		}
	}
	m.absorb(t)
}

// send sends a message past Pool.
func (m *modelMachine) send(t *rapid.T) {
	_, w := m.anyWorker(t)
	m.begin()
	message := m.newTask()
	message.foreign = true
	err := m.fake.Service().Send(w.id, message.tag, nil)
	t.Logf("message %d past Pool to worker %d: %v", message.tag, w.id, err)
	if err == nil {
		w.due = append(w.due, message)
	}
	m.absorb(t)
}

// sizing is what an owner does: reconcile, or scale.
func (m *modelMachine) reconcile(t *rapid.T) {
	p := m.pool(t)
	m.begin()
	err := m.stage.Pools.Reconcile(m.owner.Caller, p.id)
	t.Logf("reconcile pool %d: %v", p.id, err)
	m.must(t, err)
	m.reconciles(p)
	m.absorb(t)
}

func (m *modelMachine) scale(t *rapid.T) {
	p := m.pool(t)
	size := rapid.IntRange(0, 6).Draw(t, "size")
	m.begin()
	err := m.stage.Pools.Scale(m.owner.Caller, p.id, uint32(size))
	t.Logf("scale pool %d to %d: %v", p.id, size, err)
	if p.draining {
		if err != service.ErrPoolDraining {
			t.Fatalf("it is draining, and Scale returns %v", err)
		}
		m.absorb(t)
		return
	}
	p.base, p.givenUp = min(max(size, int(p.opts.MinWorkers)), int(p.opts.MaxWorkers)), 0
	m.reconciles(p)
	m.absorb(t)
	if p.limited != (err == service.ErrPoolWorkerLimit) || !p.limited && err != nil {
		t.Fatalf("limited %t, and Scale has returned %v", p.limited, err)
	}
}

// stranger tries to size a pool that isn't its own.
func (m *modelMachine) stranger(t *rapid.T) {
	p := m.pool(t)
	if m.without == fakeworkers.Identity && len(p.workers) == 0 {
		t.SkipNow()
	}
	m.begin()
	pools := m.stage.Pools
	t.Logf("a stranger reconciles, scales and supervises pool %d", p.id)
	for _, err := range []error{
		pools.Reconcile(m.other.Caller, p.id), pools.Scale(m.other.Caller, p.id, 9),
		pools.Supervise(context.Background(), m.other.Caller, p.id),
	} {
		if err != service.ErrPoolOwner {
			t.Fatalf("not refused: %v", err)
		}
	}
	m.absorb(t)
}

func (m *modelMachine) supervise(t *rapid.T) {
	p := m.pool(t)
	for _, other := range m.pools {
		if other != p && other.supervisor != nil && m.total < 64 {
			t.SkipNow() // who gets the last place is anybody's guess
		}
	}
	m.begin()
	if p.supervisor != nil {
		err := m.stage.Pools.Supervise(context.Background(), m.owner.Caller, p.id)
		t.Logf("supervise pool %d, again: %v", p.id, err)
		if err != service.ErrPoolSupervised {
			t.Fatal("two supervise it")
		}
		m.absorb(t)
		return
	}
	t.Logf("supervise pool %d", p.id)
	w := m.start(fmt.Sprintf("Supervise of pool %d", p.id), func(ctx context.Context, w *modelWait) {
		w.err = m.stage.Pools.Supervise(ctx, m.owner.Caller, p.id)
	})
	if p.supervisor = w; p.drained {
		p.supervisor = nil
		w.settle(nil, "")
	}
	m.absorb(t)
}

func (m *modelMachine) rearm(t *rapid.T) {
	p := m.pool(t)
	m.begin()
	err := m.stage.Pools.Rearm(p.id)
	t.Logf("rearm pool %d: %v", p.id, err)
	if p.draining {
		if err != service.ErrPoolDraining {
			t.Fatal("it is draining")
		}
	} else {
		m.must(t, err)
		p.halted, p.givenUp, p.idle, p.replaced = false, 0, 0, nil
	}
	m.absorb(t)
}

func (m *modelMachine) drain(t *rapid.T) {
	p := m.pool(t)
	waits := rapid.Bool().Draw(t, "DrainWait")
	m.begin()
	t.Logf("drain pool %d, wait %t", p.id, waits)
	if waits {
		w := m.start(fmt.Sprintf("DrainWait of pool %d", p.id), func(ctx context.Context, w *modelWait) {
			w.err = m.stage.Pools.DrainWait(ctx, p.id)
		})
		p.drainers = append(p.drainers, w)
	} else {
		m.must(t, m.stage.Pools.Drain(p.id))
	}
	if !p.draining {
		p.draining, p.limited = true, false
		for _, w := range p.workers {
			w.cordoned = w.cordoned && w.leaving // everybody who is left may be needed
		}
		p.refuseWaits(service.ErrPoolDraining)
	}
	p.rest()
	m.absorb(t)
}

func (m *modelMachine) destroy(t *rapid.T) {
	p := m.pool(t)
	m.begin()
	var err error
	job := m.stage.Go(func() { err = m.stage.Pools.Destroy(p.id) })
	t.Logf("destroy pool %d: %v", p.id, err)
	if !job.Over() || err != nil {
		t.Fatalf("over %t, %v", job.Over(), err)
	}
	p.destroyed()
	m.forget(p)
	for _, e := range m.watch.peek() {
		if e.Pool == p.id && e.Final != nil {
			if got, want := modelLedger(e.Final), modelLedger(p.stats()); got != want {
				t.Fatalf("pool %d has ended with\n%s\nand not with\n%s", p.id, got, want)
			}
			m.absorb(t)
			return
		}
	}
	t.Fatalf("no event tells of the end of pool %d", p.id)
}

// destroyed is the end of a pool.
func (p *modelPool) destroyed() {
	p.refuseWaits(service.ErrPoolDestroyed)
	for _, w := range p.workers {
		for _, task := range w.box {
			if !task.foreign {
				p.dropped([]*modelTask{task}, service.ErrPoolDestroyed)
			}
		}
		if w.hand != nil {
			p.failed(w.hand, service.ErrPoolDestroyed)
		}
		p.n.Exited++
	}
	p.dropped(p.parked, service.ErrPoolDestroyed)
	for _, w := range append(p.drainers, p.supervisor) {
		w.settle(service.ErrPoolDestroyed, "")
	}
	p.workers, p.parked = nil, nil
}

// gone calls a pool that is no more.
func (m *modelMachine) gone(t *rapid.T) {
	pools := m.stage.Pools
	_, submit := pools.Submit(99, 1, nil)
	_, stats := pools.Stats(99)
	for _, err := range []error{
		submit, stats, pools.Reconcile(m.owner.Caller, 99), pools.Drain(99), pools.Destroy(99), pools.Rearm(99),
	} {
		if err != service.ErrPoolNotFound {
			t.Fatalf("pool 99 is found: %v", err)
		}
	}
	if err := pools.Reconcile(nil, 99); !errors.Is(err, errInvalidCaller) {
		t.Fatalf("nobody reconciles: %v", err)
	}
}

// observe subscribes a second observer, or ends its subscription.
func (m *modelMachine) observe(t *rapid.T) {
	m.begin()
	t.Logf("observe %t", m.second == nil)
	if m.second != nil {
		m.must(t, m.stage.Pools.UnsubscribeEvents(m.second.sub))
		m.second = nil
	} else {
		m.second = new(modelWatch)
		var err error
		m.second.sub, err = m.stage.Pools.ObserveEvents(m.second.add)
		m.must(t, err)
	}
	m.absorb(t)
}
