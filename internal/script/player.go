package script

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/puppet"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

// Open makes the harness that a script is played on. Only a fake can do without extras.
type Open func(limits workers.WorkerLimits, without fakeworkers.Extras) workerstest.Harness

// player plays one script.
type player struct {
	// set once
	open Open

	// set by setup
	stage  *puppet.Stage
	events *recorder
	owners map[string]*puppet.Owner

	pools   map[string]service.ID
	names   map[service.ID]string
	poolOf  map[service.WorkerID]service.ID
	tallies map[service.ID]*tally
	jobs    []*job
	starts  *startPlan
	refuse  refusals
	spawns  gate // their returns
	out     strings.Builder
	hush    bool // for one command nothing is printed
	deaf    bool // events are not printed
}

// job is a call that has not returned.
type job struct {
	*puppet.Job
	name   string
	pool   service.ID
	cancel context.CancelFunc
	waited bool          // it did not return at once
	result func() string // says, once it has returned, what; and counts it
}

func newPlayer(open Open) *player {
	return &player{
		open:    open,
		owners:  make(map[string]*puppet.Owner),
		pools:   make(map[string]service.ID),
		names:   make(map[service.ID]string),
		poolOf:  make(map[service.WorkerID]service.ID),
		tallies: make(map[service.ID]*tally),
		events:  new(recorder),
		starts:  new(startPlan),
	}
}

// play runs a block and returns what it prints.
func (p *player) play(b block) string {
	p.out.Reset()
	for _, line := range b.commands() {
		w := parseWords(line)
		if err := p.command(w); err != nil {
			p.printf("SCRIPT %v\n", err)
		}
	}
	return p.out.String()
}

// command runs one command, lets everything settle, and prints what followed.
func (p *player) command(w *words) error {
	verb, err := verbOf(w.verb)
	if err != nil {
		return err
	}
	if p.stage == nil && w.verb != "setup" {
		if err := p.setup(parseWords("setup")); err != nil {
			return err
		}
	}
	if err := verb.play(p, w); err != nil {
		return err
	}
	p.stage.Settle()
	p.printJobs()
	p.printTakes()
	p.printEvents()
	p.hush = false
	p.checkLedgers()
	return w.unused()
}

func (p *player) printf(format string, args ...any) {
	if !p.hush {
		fmt.Fprintf(&p.out, format, args...)
	}
}

// close ends what the script has left.
func (p *player) close() error {
	if p.stage == nil {
		return nil
	}
	p.starts.letGo()
	p.spawns.open()
	for _, j := range p.jobs {
		j.cancel()
	}
	err := p.stage.Close()
	if len(p.jobs) > 0 {
		time.Sleep(3 * time.Second) // a Destroy that nobody tells any more of its workers' ends waits for two
	}
	return err
}

// begin starts a call that may wait. Its context ends by the verb cancel, or after limit if that is above zero.
func (p *player) begin(name string, id service.ID, limit time.Duration, call func(ctx context.Context), result func() string) {
	j := &job{name: name, pool: id, result: result}
	ctx := context.Background()
	if limit > 0 {
		ctx, j.cancel = context.WithTimeout(ctx, limit)
	} else {
		ctx, j.cancel = context.WithCancel(ctx)
	}
	j.Job = p.stage.Go(func() { call(ctx) })
	j.waited = !j.Over()
	p.jobs = append(p.jobs, j)
	if j.waited {
		p.printf("%s: waits\n", name)
	}
}

// printJobs prints the results of calls that have returned, in the order in which they were begun.
func (p *player) printJobs() {
	var left []*job
	for _, j := range p.jobs {
		if !j.Over() {
			left = append(left, j)
			continue
		}
		j.cancel()
		p.printf("%s: %s\n", j.name, j.result())
	}
	p.jobs = left
}

// waits reports whether a call of a pool has not returned.
func (p *player) waits(id service.ID) bool {
	for _, j := range p.jobs {
		if j.pool == id {
			return true
		}
	}
	return false
}

func (p *player) printTakes() {
	for _, take := range p.stage.Takes() {
		p.handed(take)
		switch {
		case take.Err == error(service.ErrNoTask):
			p.printf("worker %d takes a message that was sent past Pool\n", take.Worker)
			continue
		case take.Err != nil:
			p.printf("worker %d takes nothing: %s\n", take.Worker, explain(take.Err))
			continue
		case take.Task.Attempt == 0:
			p.printf("worker %d takes message %d", take.Worker, take.Task.Tag)
		default:
			p.printf("worker %d takes task %d", take.Worker, take.Task.Tag)
		}
		if take.Task.Attempt > 1 {
			p.printf(" attempt %d", take.Task.Attempt)
		}
		if len(take.Task.Payload) > 0 {
			p.printf(" %q", take.Task.Payload)
		}
		p.printf("\n")
	}
}

func (p *player) printEvents() {
	events, gap := p.events.take()
	for i := range events {
		e := &events[i]
		p.note(e)
		if !p.deaf {
			p.printf("  %s\n", p.eventText(e))
		}
	}
	if gap != nil {
		p.printf("EVENTS %v\n", gap)
	}
}

// note keeps of an event what later commands need.
func (p *player) note(e *service.Event) {
	switch {
	case e.Kind == service.PoolWorkerAdded:
		p.poolOf[e.Worker] = e.Pool
	case e.Final != nil:
		p.tallyOf(e.Pool).final = e.Final
	}
}

func (p *player) nameOf(id service.ID) string {
	if name := p.names[id]; name != "" {
		return name
	}
	return fmt.Sprintf("pool %d", id)
}
