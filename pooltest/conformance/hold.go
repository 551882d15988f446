package conformance

import (
	"errors"
	"reflect"

	"github.com/JairusSW/pool"
)

// same holds that two values are equal.
func (w *world) same(what string, want, got any) {
	w.t.Helper()
	if !reflect.DeepEqual(want, got) {
		w.t.Fatalf("%s: want %v, got %v", what, want, got)
	}
}

// must holds that there is no error.
func (w *world) must(what string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v", what, err)
	}
}

// bare holds that an error is the sentinel itself, as == sees it.
func (w *world) bare(what string, want, got error) {
	w.t.Helper()
	if got != want {
		w.t.Fatalf("%s: want %v itself, got %v", what, want, got)
	}
}

// wraps holds that errors.Is finds each of the sentinels.
func (w *world) wraps(what string, got error, sentinels ...error) {
	w.t.Helper()
	for _, want := range sentinels {
		if !errors.Is(got, want) {
			w.t.Fatalf("%s: want %v in it, got %v", what, want, got)
		}
	}
}

// taskError returns the error of a Call whose task had been accepted.
func (w *world) taskError(err error) *pool.TaskError {
	w.t.Helper()
	var ended *pool.TaskError
	if !errors.As(err, &ended) {
		w.t.Fatalf("Call: want a *pool.TaskError, got %v", err)
	}
	return ended
}
