package script

import (
	"fmt"
	"strings"

	"github.com/JairusSW/pool/service"
)

// eventText is an event on one line. Its number and its time are left out: see the recorder.
func (p *player) eventText(e *service.Event) string {
	words := []string{e.Kind.String(), p.nameOf(e.Pool)}
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if isTask(e.Kind) && (e.Kind != service.PoolTaskDropped || e.Count == 1) {
		add("task %d", e.Tag)
		if e.Key != e.Tag {
			add("key %d", e.Key)
		}
	}
	switch {
	case e.Worker != 0:
		add("worker %d", e.Worker)
	case e.Kind == service.PoolTaskRouted:
		add("parked")
	}
	if e.Attempt > 0 {
		add("attempt %d", e.Attempt)
	}
	if e.Count > 0 {
		add("count %d", e.Count)
	}
	if e.From != e.To || e.Kind == service.PoolScaled {
		add("%d -> %d", e.From, e.To)
	}
	if e.ExitKind != 0 {
		add("%v", e.ExitKind)
	}
	if e.Reason != 0 {
		add("(%v)", e.Reason)
	}
	if e.Err != nil {
		add("%s", explain(e.Err))
	}
	if e.Final != nil {
		add("final %s", ledgerText(e.Final))
	}
	return strings.Join(words, " ")
}

func isTask(kind service.EventKind) bool {
	switch kind {
	case service.PoolTaskRouted, service.PoolTaskRejected, service.PoolTaskFailed, service.PoolTaskDropped,
		service.PoolTaskRedelivered, service.PoolTaskRetried, service.PoolTaskShed:
		return true
	}
	return false
}

// ledgerText is where every task is. Zeroes are left out.
func ledgerText(s *service.Stats) string {
	text := fmt.Sprintf("submitted %d = routed %d", s.Submitted, s.Routed)
	for _, more := range []struct {
		name string
		n    uint64
	}{{" + rejected", s.Rejected}, {" + shed", s.Shed}} {
		if more.n > 0 {
			text += fmt.Sprintf("%s %d", more.name, more.n)
		}
	}
	var places []string
	for _, place := range []struct {
		name string
		n    uint64
	}{
		{"done", s.Done}, {"failed", s.FailedTasks}, {"dropped", s.Dropped}, {"queued", s.Queued}, {"running", s.Running},
	} {
		if place.n > 0 {
			places = append(places, fmt.Sprintf("%s %d", place.name, place.n))
		}
	}
	if len(places) > 0 {
		text += "; routed = " + strings.Join(places, " + ")
	}
	return text
}

// statsText is a pool's stats on a few lines.
func (p *player) statsText(s *service.Stats) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: live %d of %d (%d-%d) %v", p.nameOf(s.Pool), s.Live, s.Desired, s.Min, s.Max, s.Strategy)
	for _, flag := range []struct {
		name string
		on   bool
	}{{"draining", s.Draining}, {"halted", s.Halted}, {"limited", s.Limited}} {
		if flag.on {
			out.WriteString(" " + flag.name)
		}
	}
	fmt.Fprintf(&out, "\n  %s\n", ledgerText(s))
	for _, count := range []struct {
		name string
		n    uint64
	}{
		{"parked", s.Parked}, {"redelivered", s.Redelivered}, {"retried", s.Retried}, {"foreign", s.Foreign},
		{"exited", s.Exited}, {"failed", s.Failed}, {"restarted", s.Restarted},
	} {
		if count.n > 0 {
			fmt.Fprintf(&out, "  %s %d", count.name, count.n)
		}
	}
	if e := s.LastExit; e.Worker != 0 {
		fmt.Fprintf(&out, "  last worker %d %v %s", e.Worker, e.Kind, explain(e.Err))
	}
	text := strings.TrimRight(out.String(), "\n") + "\n"
	for _, w := range s.Workers {
		text += fmt.Sprintf("  worker %d: enqueued %d dispatched %d", w.ID, w.Enqueued, w.Dispatched)
		if w.Outstanding > 0 {
			text += fmt.Sprintf(" outstanding %d", w.Outstanding)
		}
		if w.Running > 0 {
			text += fmt.Sprintf(" running %d", w.Running)
		}
		text += "\n"
	}
	return text
}
