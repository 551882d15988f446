package wago

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/wago-org/wago/internal/engine"
)

// ManagedInstance is an instance that a plugin owns. One call at a time is the plugin's business: a second one fails with
// [ErrInstanceBusy].
//
// Safe for concurrent use.
type ManagedInstance struct {
	// set once
	manager *InstanceManager
	in      *Instance

	closed   atomic.Bool  // set when the instance's close begins
	attached atomic.Value // what the plugin has attached
}

// Attach keeps a value with the instance, for [ManagedInstance.Attached]: what the plugin knows of it. All values must be of
// one type, as for sync/atomic.Value; nil is refused with a panic. An extra of this host.
//
// Safe for concurrent use.
func (m *ManagedInstance) Attach(value any) { m.attached.Store(value) }

// Attached returns the value that was attached last, nil if none was. An extra of this host.
//
// Safe for concurrent use.
func (m *ManagedInstance) Attached() any { return m.attached.Load() }

// ValidateVoidTableEntry checks that an entry of table 0 can be run: the table exists, the index is in range, the entry is a
// function of the guest's own and takes and returns nothing.
//
// Safe for concurrent use; while the guest runs it fails with [ErrInstanceBusy].
func (m *ManagedInstance) ValidateVoidTableEntry(index uint32) error {
	if m == nil {
		return fmt.Errorf("%w: nil ManagedInstance", ErrInvalidHandle)
	}
	return m.in.borrow(func(guest *engine.Instance) error { return guest.CheckVoidTable(index) })
}

// InvokeVoidTable runs an entry of table 0, checked as by [ManagedInstance.ValidateVoidTableEntry], to its end on the calling
// goroutine. The guest is interrupted when ctx ends or the instance closes; a nil ctx never ends. The errors are those of
// [Instance.InvokeContext], code 0 of an [*ExitError] included. A host function that ends its goroutine ends the caller's.
//
// Safe for concurrent use; while the guest runs it fails with [ErrInstanceBusy].
func (m *ManagedInstance) InvokeVoidTable(ctx context.Context, index uint32) error {
	if m == nil {
		return fmt.Errorf("%w: nil ManagedInstance", ErrInvalidHandle)
	}
	act, err := m.in.enter(ctx, 0)
	if err != nil {
		return err
	}
	defer act.leave()
	if m.in.bindings.host {
		act.goroutine.Store(goroutineID())
	}
	return m.in.guest.Load().CallVoidTable(act.ctx, index)
}

// Identity returns the instance's identity, zero after Close.
//
// Safe for concurrent use.
func (m *ManagedInstance) Identity() InstanceIdentity {
	if m == nil || m.closed.Load() {
		return InstanceIdentity{}
	}
	return m.in.id
}

// Instance returns the instance itself, nil after Close.
//
// Safe for concurrent use.
func (m *ManagedInstance) Instance() *Instance {
	if m == nil || m.closed.Load() {
		return nil
	}
	return m.in
}

// Close closes the instance as [Instance.Close] does, and gives its cost back to the manager when it has been released.
//
// Safe for concurrent use.
func (m *ManagedInstance) Close() error {
	if m == nil {
		return fmt.Errorf("%w: nil ManagedInstance", ErrInvalidHandle)
	}
	return m.in.Close()
}
