package engine

import (
	"context"
	"fmt"
)

// TableReason says why a table entry can't be called as a void function. Safe
// for concurrent use.
type TableReason uint8

const (
	// TableMissing: the module has no table 0, or it doesn't hold functions.
	TableMissing TableReason = iota + 1
	// TableOutOfRange: the index is at or past the table's end.
	TableOutOfRange
	// TableNull: the entry is empty.
	TableNull
	// TableWrongType: the function takes parameters or returns results.
	TableWrongType
	// TableImported: the entry is an imported function. wazero can't look these
	// up.
	TableImported
	// TableUnreadable: wazero failed to look the entry up.
	TableUnreadable
)

// String returns the reason in a few words.
func (r TableReason) String() string {
	switch r {
	case TableMissing:
		return "no function table"
	case TableOutOfRange:
		return "out of range"
	case TableNull:
		return "empty"
	case TableWrongType:
		return "not of type ()->()"
	case TableImported:
		return "an imported function"
	case TableUnreadable:
		return "unreadable"
	}
	return fmt.Sprintf("tablereason(%d)", uint8(r))
}

// TableError says which entry of table 0 can't be called and why. It unwraps to
// ErrTable. Safe for concurrent use.
type TableError struct {
	Index  uint32
	Reason TableReason
}

// Error names the entry and the reason.
func (e *TableError) Error() string {
	return fmt.Sprintf("%s: table 0, entry %d: %s", string(ErrTable), e.Index, e.Reason)
}

// Unwrap returns ErrTable.
func (e *TableError) Unwrap() error { return ErrTable }

// CheckVoidTable says whether the entry of table 0 can be called: that it is a
// function of the guest's own, of type ()->(). The error is a *[TableError],
// ErrInstanceClosed, or ErrUnsupported in an imported start function; the
// instance stays as it is.
func (i *Instance) CheckVoidTable(index uint32) error {
	if err := i.usable(); err != nil {
		return err
	}
	_, err := i.lookup(index)
	return err
}

// CallVoidTable calls the entry of table 0. Errors: those of CheckVoidTable and
// of Call. A nil ctx is context.Background().
func (i *Instance) CallVoidTable(ctx context.Context, index uint32) error {
	if ctx == nil {
		ctx = context.Background()
	}
	if err := i.ready(ctx); err != nil {
		return err
	}
	f, err := i.lookup(index)
	if err != nil {
		return err
	}
	f.busy = true
	defer func() { f.busy = false }()
	return i.run(ctx, f.fn, nil)
}
