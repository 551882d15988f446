package service_test

import (
	"context"
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
	w := m.waits[rapid.IntRange(0, len(m.waits)-1).Draw(t, "wait")]
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
