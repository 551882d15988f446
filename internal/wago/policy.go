package wago

import (
	"fmt"
	"slices"
	"time"
)

// Policy limits one instance and its forks. The zero value limits nothing.
type Policy struct {
	// AllowedCapabilities, unless nil, are the only ones the guest's imports may need.
	AllowedCapabilities []Capability
	// DeniedCapabilities are those the guest's imports must not need; they win over allowed ones.
	DeniedCapabilities []Capability
	// MaxMemoryBytes is how far the memory can grow: a smaller runtime limit for this guest. A greater minimum is refused,
	// and so is a memory of any size when it is less than a page of 64 KiB. 0 means the runtime's limit.
	MaxMemoryBytes uint64
	// MaxTableEntries limits the sum of the tables' declared maxima; a table that declares none is refused, for nothing
	// else bounds it. 0 means no limit.
	MaxTableEntries uint32
	// MaxInvokeDuration limits each call of an export and each start section: it is interrupted and fails with
	// [ErrInvokeTimeout]. The entry of a managed instance, which may wait for work for as long as it lives, is limited by
	// the context its plugin passes instead. 0 means no limit.
	MaxInvokeDuration time.Duration
}

const pageBytes = 64 << 10

// memoryPages returns the policy's memory limit in pages, false when it has none.
func (p Policy) memoryPages() (uint32, bool) {
	pages := p.MaxMemoryBytes / pageBytes
	if p.MaxMemoryBytes == 0 || pages > uint64(MaxMemoryLimitPages) {
		return 0, false
	}
	return uint32(pages), true
}

// check refuses a module that needs more than the policy allows.
func (p Policy) check(m *Module) error {
	for _, spec := range m.Imports() {
		if !spec.HasCapability {
			continue
		}
		denied := slices.Contains(p.DeniedCapabilities, spec.Capability)
		allowed := p.AllowedCapabilities == nil || slices.Contains(p.AllowedCapabilities, spec.Capability)
		if denied || !allowed {
			return fmt.Errorf("%w: policy forbids capability %s, needed by import %s", ErrPermissionDenied,
				spec.Capability, spec.Key())
		}
	}
	if err := p.checkMemory(m); err != nil {
		return err
	}
	return p.checkTables(m)
}

func (p Policy) checkMemory(m *Module) error {
	memory, ok := m.compiled.code.Memory()
	pages, limited := p.memoryPages()
	if !ok || !limited {
		return nil
	}
	if pages == 0 || memory.Min > pages {
		return fmt.Errorf("%w: policy allows MaxMemoryBytes %d, the memory starts with %d and grows by %d",
			ErrPermissionDenied, p.MaxMemoryBytes, uint64(memory.Min)*pageBytes, pageBytes)
	}
	return nil
}

func (p Policy) checkTables(m *Module) error {
	if p.MaxTableEntries == 0 {
		return nil
	}
	total := uint64(0)
	for i, table := range m.compiled.code.Tables() {
		if !table.HasMax {
			return fmt.Errorf("%w: policy allows MaxTableEntries %d, table %d declares no maximum", ErrPermissionDenied,
				p.MaxTableEntries, i)
		}
		total += uint64(table.Max)
	}
	if total > uint64(p.MaxTableEntries) {
		return fmt.Errorf("%w: policy allows MaxTableEntries %d, the tables declare %d", ErrPermissionDenied,
			p.MaxTableEntries, total)
	}
	return nil
}
