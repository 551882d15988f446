package supervise

import (
	"math/rand/v2"
	"time"
)

// Exit is how a worker ended.
//
// Safe for concurrent use while nobody changes it.
type Exit struct {
	// Failed is true of any end but a clean return.
	Failed bool
	// Took is true if the worker took at least one task in its life.
	Took bool
}

// Verdict is what becomes of a place whose worker ended.
//
// Safe for concurrent use.
type Verdict uint8

const (
	// Replace: a new worker is to take the place, once [Machine.Ready] has nothing against it.
	Replace Verdict = iota + 1
	// GiveUp: the place stays empty until somebody asks for it again, which is what [Machine.Refill] is
	// for.
	GiveUp
	// Halt: the budget is spent. From now on every verdict is GiveUp, until [Machine.Rearm].
	Halt
)

// String returns the verdict's name.
//
// Safe for concurrent use.
func (v Verdict) String() string {
	switch v {
	case Replace:
		return "replace"
	case GiveUp:
		return "give_up"
	case Halt:
		return "halt"
	default:
		return "none"
	}
}

// Machine supervises one pool. Feed it real exits only: a worker that was told to go, and a start that
// failed, are not its business. Times must not go back.
//
// Not safe for concurrent use; its owner guards it.
type Machine struct {
	config Config
	spent  window   // replacements, or under Unlimited only those of workers that took no task
	idle   idleEnds // places given up by workers that took no task
	delay  delay
	halted bool
}

// New returns a machine for the configuration, normalised. source is where delays are drawn from; nil is a
// source of its own, seeded at random. It fails as [Config.Normalize] does.
//
// Safe for concurrent use.
func New(config Config, source rand.Source) (*Machine, error) {
	config, err := config.Normalize()
	if err != nil {
		return nil, err
	}
	if source == nil {
		source = rand.NewPCG(rand.Uint64(), rand.Uint64())
	}
	limit := config.MaxRestarts
	if limit == Unlimited {
		limit = DefaultMaxRestarts
	}
	return &Machine{
		config: config,
		spent:  newWindow(limit, config.Window),
		idle:   idleEnds{span: config.Window},
		delay:  delay{config: config.Backoff, span: config.Window, random: rand.New(source)},
	}, nil
}

// Exited gives the verdict on a worker that ended at now, once per exit. It is Replace or Halt if the
// policy wants a replacement, else GiveUp. A Replace is counted at now. While the machine is halted an exit
// changes nothing, and the verdict is GiveUp.
//
// Not safe for concurrent use; its owner guards it.
func (m *Machine) Exited(now time.Time, e Exit) Verdict {
	if m.halted {
		return GiveUp
	}
	replace := m.config.Policy.replaces(e)
	if !replace && !e.Took {
		m.idle.add(now)
	}
	if replace && !m.spend(now, e.Took) {
		return Halt
	}
	if replace || !e.Took {
		m.delay.failed(now)
	}
	if replace {
		return Replace
	}
	return GiveUp
}

// Refill gives the verdict on filling, at now, a place that was given up or on making the pool larger,
// whoever asks for it; ask before each such start and for no other. If workers that took no task have left
// places empty within the last window, the start replaces one of those and is counted: the verdict is
// Replace or Halt. Otherwise it costs nothing and is Replace. While the machine is halted it is GiveUp.
//
// Not safe for concurrent use; its owner guards it.
func (m *Machine) Refill(now time.Time) Verdict {
	switch {
	case m.halted:
		return GiveUp
	case m.idle.take(now) && !m.spend(now, false):
		return Halt
	}
	return Replace
}

// Ready returns until when the backoff asks to wait, and whether that lies after now. Nothing is to be
// started before.
//
// Not safe for concurrent use; its owner guards it.
func (m *Machine) Ready(now time.Time) (at time.Time, wait bool) {
	return m.delay.until, m.delay.until.After(now)
}

// Halted reports whether the budget was spent and Rearm hasn't been called since.
//
// Not safe for concurrent use; its owner guards it.
func (m *Machine) Halted() bool { return m.halted }

// Rearm ends a halt and forgets all failures and delays, as if the machine were new.
//
// Not safe for concurrent use; its owner guards it.
func (m *Machine) Rearm() {
	m.halted = false
	m.spent.clear()
	m.idle.clear()
	m.delay.clear()
}

// spend counts a replacement at now, or halts the machine if there is none left. Under Unlimited only the
// replacement of a worker that took no task is counted.
func (m *Machine) spend(now time.Time, took bool) bool {
	if took && m.config.MaxRestarts == Unlimited {
		return true
	}
	if !m.spent.add(now) {
		m.halted = true
	}
	return !m.halted
}
