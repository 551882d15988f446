package engine

import (
	"slices"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// checkTables refuses tables that begin above the limit together.
func checkTables(tables []binfmt.TableType) error {
	total := uint64(0)
	for _, t := range tables {
		total += uint64(t.Limits.Min)
	}
	if total > MaxTableEntries {
		return &LimitError{
			Setting: "engine.MaxTableEntries", Subject: "the guest's initial table entries",
			Wanted: total, Limit: MaxTableEntries,
		}
	}
	return nil
}

// capTables gives every table a maximum, so that table.grow returns -1 in time:
// wazero would let a guest without one take tens of gigabytes. Each gets an equal
// share of the limit, or its minimum where that is more.
func capTables(wasm []byte, o *binfmt.Outline) []byte {
	if len(o.Tables) == 0 {
		return wasm
	}
	share := uint32(MaxTableEntries / len(o.Tables))
	tables := slices.Clone(o.Tables)
	for i := range tables {
		l := &tables[i].Limits
		if highest := max(share, l.Min); !l.HasMax || l.Max > highest {
			l.HasMax, l.Max = true, highest
		}
	}
	if slices.Equal(tables, o.Tables) {
		return wasm
	}
	return o.WithTables(wasm, tables)
}
