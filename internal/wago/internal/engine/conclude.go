package engine

import (
	"context"
	"errors"

	"github.com/tetratelabs/wazero/sys"
)

// conclude turns what wazero says of a call into the call's error, and ends the
// instance if the guest was left in the middle. The order decides which cause is
// the true one when several came together: what a host function decided, then
// the guest's own trap, then the end of the context.
func (a *activation) conclude(err error) error {
	reason, result := a.classify(err)
	if result != nil && reason != 0 {
		a.inst.end(reason, result)
	}
	return result
}

func (a *activation) classify(err error) (EndReason, error) {
	if a.outcome != nil {
		return a.reason, a.outcome
	}
	if trap := trapOf(err, a.inst.module.shape.functionCount); trap != nil {
		return EndTrapped, trap
	}
	if a.Err() != nil && (err == nil || isExit(err)) {
		return EndCancelled, a.interrupted()
	}
	if err == nil {
		return 0, nil
	}
	if outer := a.expired(); outer != nil && isExit(err) {
		return EndCancelled, outer.interrupted()
	}
	if ended := a.inst.ended.Load(); ended != nil {
		// A call nested in this one ended the instance under it.
		return 0, ended
	}
	if isExit(err) {
		return EndAborted, ErrInstanceClosed
	}
	return EndAborted, &HostPanicError{Value: err}
}

// interrupted is the error of a call whose context ended.
func (a *activation) interrupted() error { return interrupted(a.Context) }

func interrupted(ctx context.Context) error {
	causes := []error{ctx.Err()}
	if cause := context.Cause(ctx); !errors.Is(causes[0], cause) {
		causes = append(causes, cause)
	}
	return &TrapError{Code: TrapInterrupted, causes: causes}
}

// isExit reports whether wazero stopped the guest because its module is closed.
func isExit(err error) bool {
	var exit *sys.ExitError
	return errors.As(err, &exit)
}
