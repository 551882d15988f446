package engine

// Interruption says how the guests of a module are stopped when the context of a
// call ends. Safe for concurrent use.
type Interruption uint8

const (
	// InterruptCountdown: the module was rewritten so that its guests look up from
	// their work every ten microseconds or so. See package countdown, also for what
	// it costs.
	InterruptCountdown Interruption = iota
	// InterruptWatched: wazero's close-on-context-done, which looks at every turn
	// of every loop, and so makes guests that compute several times slower; it
	// neither stops recursion that has no loop in it, nor lets the garbage collector
	// run beside it. It is for modules that can't be rewritten: those whose memory
	// starts with MaxMemoryPages, and those with instructions that the rewriter
	// doesn't know.
	InterruptWatched
)

// String returns the name in one word.
func (i Interruption) String() string {
	if i == InterruptWatched {
		return "watched"
	}
	return "countdown"
}

// Interruption returns how the module's guests are stopped.
func (m *Module) Interruption() Interruption { return m.machine.interruption }

// checkpoint is where a guest that has counted down comes by, in the goroutine of
// its call. It ends the call if its context has ended, or that of a call that
// this one is nested in.
func (i *Instance) checkpoint() {
	if ended := i.top.expired(); ended != nil {
		i.top.abort(EndCancelled, ended.interrupted())
	}
}

// expired returns the innermost running call whose context has ended; nil if
// there is none.
func (a *activation) expired() *activation {
	for ; a != nil; a = a.prev {
		if a.Err() != nil {
			return a
		}
	}
	return nil
}
