package soak

// Observers of Workers, below Pool: they are called after Pool's own.

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"

	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/wago-org/workers"
)

// errMessage is what an observer of messages ends workers with.
var errMessage = errors.New("soak: an observer of messages fails")

// sawMessage keeps the tag of a message that is handed out. Once in a while it ends the worker, whose task no guest sees then.
func (w *world) sawMessage(m *workers.MessageContext) error {
	w.raw.Store(m.WorkerID, m.Tag)
	p := w.stage.find(ledger.Tag(m.Tag).Pool())
	if p == nil {
		return nil
	}
	switch dice := rand.New(rand.NewPCG(w.seed^m.Tag, uint64(m.WorkerID))); dice.IntN(6000) {
	case 0:
		w.count("messages", "refused by an observer")
		p.book.Stray()
		return errMessage
	case 1:
		w.count("messages", "met by an observer's panic")
		p.book.Stray()
		panic(errMessage)
	case 2:
		w.count("messages", "met by an observer's Goexit")
		p.book.Stray()
		runtime.Goexit()
	}
	return nil
}

// errExit is what an observer of exits panics with.
var errExit = errors.New("soak: an observer of exits panics")

// sawExit now and then submits, destroys, panics or ends the goroutine, on which the worker is coming to its end.
func (w *world) sawExit(exit *workers.WorkerExitContext) {
	dice := rand.New(rand.NewPCG(w.seed^uint64(exit.WorkerID), 6))
	w.count("exits", exit.Kind.String())
	p := w.stage.any(dice)
	if p == nil {
		return
	}
	switch n := dice.IntN(300); {
	case n < 10:
		w.count("exits", "with a submit by an observer")
		w.submitSomehow(dice, p, origin{ctx: context.Background(), tame: true})
	case n == 10:
		w.count("exits", "with a Destroy by an observer")
		_ = w.destroy(context.Background(), dice, p) // it holds its error itself
	case n == 11 && w.mayFail():
		w.count("exits", "with an observer's panic")
		panic(errExit)
	case n == 12 && w.mayFail():
		w.count("exits", "with an observer's Goexit")
		runtime.Goexit()
	}
}

// mayFail reports whether one more observer of exits may fail: Workers keeps the first sixteen failures, and counts the others in
// an error that nothing is known by.
func (w *world) mayFail() bool { return w.exitFailures.Add(1) <= 12 }
