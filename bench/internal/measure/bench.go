package measure

import (
	"context"
	"errors"
	"time"
)

// Effort says how much is measured.
type Effort struct {
	Rounds int           // of every row
	Again  int           // how often a row that is undecided is measured again, at most
	Length time.Duration // of one side of one round, at least
}

// The efforts. Quick says whether everything works, and roughly where the figures are; Full is what is published, and Tables
// what is for tables, whose cells show how a cost grows and are compared by eye.
var (
	Full   = Effort{Rounds: 15, Again: 2, Length: 25 * time.Millisecond}
	Tables = Effort{Rounds: 5, Length: 20 * time.Millisecond}
	Quick  = Effort{Rounds: 3, Length: time.Millisecond}
)

// Bench is where one row is measured.
//
// Not safe for concurrent use.
type Bench struct {
	Context context.Context // ends when the measurement is to be given up
	Effort  Effort

	closers []func() error
}

// OnClose has f called when the row has been measured; the last one given comes first.
func (b *Bench) OnClose(f func() error) { b.closers = append(b.closers, f) }

// Close takes apart what the row made ready.
func (b *Bench) Close() (err error) {
	for i := len(b.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, b.closers[i]())
	}
	b.closers = nil
	return err
}
