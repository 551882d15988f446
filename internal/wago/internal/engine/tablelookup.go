package engine

import (
	"reflect"

	"github.com/tetratelabs/wazero/experimental/table"
)

// entry is a function of table 0 with a stack of its own, kept between calls.
type entry struct {
	function
	reference uint64 // how tables name the function, whatever the index
}

// lookup returns the function at the index: the kept one if it is that, or a fresh
// one, which is kept in its place unless that is running.
func (i *Instance) lookup(index uint32) (*entry, error) {
	reference, reason := i.inspect(index)
	if reason == 0 && i.entry != nil && i.entry.reference == reference && !i.entry.busy {
		return i.entry, nil
	}
	if reason == 0 && i.imported(reference) {
		reason = TableImported
	}
	if reason != 0 {
		return nil, &TableError{index, reason}
	}
	fresh, err := i.resolve(index)
	if err != nil {
		return nil, err
	}
	fresh.reference = reference
	if i.entry == nil || !i.entry.busy {
		i.entry = fresh
	}
	return fresh, nil
}

// resolve has wazero look the function up.
func (i *Instance) resolve(index uint32) (found *entry, err error) {
	defer func() {
		if v := recover(); v != nil {
			found, err = nil, &TableError{index, lookupReason(v)}
		}
	}()
	return &entry{function: function{fn: table.LookupFunction(i.mod, 0, index, nil, nil)}}, nil
}

func lookupReason(v any) TableReason {
	if trap := trapOf(panicked(v), 0); trap != nil && trap.Code == TrapIndirectWrongSig {
		return TableWrongType
	}
	return TableUnreadable
}

// inspect reads what the table holds, or says why that is nothing to look up.
// wazero offers no way to see an entry, but its fields are exported.
func (i *Instance) inspect(index uint32) (reference uint64, reason TableReason) {
	tables := i.module.shape.tables
	if len(tables) == 0 || tables[0].Type != ValFuncRef {
		return 0, TableMissing
	}
	defer func() {
		if recover() != nil { // another wazero, with other fields
			reason = TableUnreadable
		}
	}()
	mod := reflect.ValueOf(i.mod).Elem()
	entries := mod.FieldByName("Tables").Index(0).Elem().FieldByName("References")
	if uint64(index) >= uint64(entries.Len()) {
		return 0, TableOutOfRange
	}
	if reference = entries.Index(int(index)).Uint(); reference == 0 {
		return 0, TableNull
	}
	return reference, 0
}

// imported reports whether the reference is that of an imported function, or
// might be. LookupFunction must not see one: it takes the host module's memory for
// something else, and may crash the process.
func (i *Instance) imported(reference uint64) (is bool) {
	defer func() {
		if recover() != nil { // another wazero, with other methods
			is = true
		}
	}()
	if len(i.module.shape.voidImports) == 0 {
		return false
	}
	referenceOf := reflect.ValueOf(i.mod).Elem().FieldByName("Engine").MethodByName("FunctionInstanceReference")
	for _, f := range i.module.shape.voidImports {
		if referenceOf.Call([]reflect.Value{reflect.ValueOf(f)})[0].Uint() == reference {
			return true
		}
	}
	return false
}
