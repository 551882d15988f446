package workers_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wago-org/workers"
)

// constant is an error that equals another of its text, as this package's are.
type constant string

func (c constant) Error() string { return string(c) }

// wild matches every error of its kind, and can't be compared.
type wild struct{ notes []string }

func (w wild) Error() string { return "wild" }

func (w wild) Is(target error) bool {
	other, ok := target.(*wild)
	return ok && other != nil
}

// absent is an error whose methods need it to be there.
type absent struct{ cause error }

func (a *absent) Error() string { return a.cause.Error() }

func (a *absent) Unwrap() error { return a.cause }

func full() *workers.Problems {
	p := &workers.Problems{}
	for range 16 {
		p.Add(constant("one of the first"))
	}
	return p
}

func TestEveryCauseThatIsCutOffIsFound(t *testing.T) {
	cause, other := errors.New("cause"), errors.New("other")
	nobody := (*absent)(nil)
	for name, c := range map[string]struct {
		cut  error
		want []error
	}{
		"itself":             {cause, []error{cause}},
		"wrapped":            {fmt.Errorf("a: %w", fmt.Errorf("b: %w", cause)), []error{cause}},
		"two":                {fmt.Errorf("%w; %w", cause, fmt.Errorf("c: %w", other)), []error{cause, other}},
		"joined":             {errors.Join(errors.Join(cause), other), []error{cause, other}},
		"a panic":            {&workers.PanicError{Value: fmt.Errorf("d: %w", cause)}, []error{workers.ErrObserverPanic, cause}},
		"a constant":         {fmt.Errorf("e: %w", constant("x")), []error{constant("x")}},
		"that decides":       {fmt.Errorf("f: %w", wild{notes: []string{"n"}}), []error{&wild{}}},
		"that wraps nothing": {&absent{}, nil},
		"that panics":        {fmt.Errorf("%w; %w", error(nobody), cause), []error{cause}},
	} {
		t.Run(name, func(t *testing.T) {
			p := full()
			p.Add(c.cut)
			for _, want := range c.want {
				require.NotErrorIs(t, full().Join(), want)
				assert.ErrorIs(t, p.Join(), want)
			}
			assert.True(t, strings.HasSuffix(p.Join().Error(), "\nand 1 more"), p.Join().Error())
		})
	}
}

func TestWhatIsCutOffTakesNoMoreRoomThanItsCauses(t *testing.T) {
	p := full()
	for i := range 10_000 {
		p.Add(fmt.Errorf("worker %d: %w", i, &workers.PanicError{Value: constant("again"), Stack: make([]byte, 1000)}))
	}
	assert.Equal(t, 2, p.Causes(), "ErrObserverPanic and the value")
	assert.Len(t, strings.Split(p.Join().Error(), "\n"), 17)
	assert.Contains(t, p.Join().Error(), "and 10000 more")
	assert.ErrorIs(t, p.Join(), constant("again"))
}
