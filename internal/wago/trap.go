package wago

import "github.com/wago-org/wago/internal/engine"

// How a guest's call can end other than by returning.
type (
	// TrapCode says why a guest trapped.
	TrapCode = engine.TrapCode
	// TrapError is the error of a call that trapped; interrupted calls have the code [TrapInterrupted].
	TrapError = engine.TrapError
	// HostExit is the value a host function panics with to end the guest's call as if the guest had exited.
	HostExit = engine.HostExit
	// ExitError is the error of a call that exited, code 0 included.
	ExitError = engine.ExitError
	// HostTrap is the value a host function panics with to abort the guest's call; the call returns its Err unchanged.
	HostTrap = engine.HostTrap
)

// The trap codes.
const (
	TrapNone                 = engine.TrapNone
	TrapUnreachable          = engine.TrapUnreachable
	TrapBuiltin              = engine.TrapBuiltin
	TrapLinMemOutOfBounds    = engine.TrapLinMemOutOfBounds
	TrapLinMemCouldNotExtend = engine.TrapLinMemCouldNotExtend
	TrapIndirectOutOfBounds  = engine.TrapIndirectOutOfBounds
	TrapIndirectWrongSig     = engine.TrapIndirectWrongSig
	TrapLinkedMemNotLinked   = engine.TrapLinkedMemNotLinked
	TrapLinkedMemOutOfBounds = engine.TrapLinkedMemOutOfBounds
	TrapDivZero              = engine.TrapDivZero
	TrapDivOverflow          = engine.TrapDivOverflow
	TrapTruncOverflow        = engine.TrapTruncOverflow
	TrapInterrupted          = engine.TrapInterrupted
	TrapStackFenceBreached   = engine.TrapStackFenceBreached
	TrapCalledFnNotLinked    = engine.TrapCalledFnNotLinked
	TrapTableOutOfBounds     = engine.TrapTableOutOfBounds
)
