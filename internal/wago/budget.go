package wago

import (
	"fmt"
	"sync"
)

// charge is what one instance costs its manager.
type charge struct {
	instances uint64
	memory    uint64 // bytes
}

// budget counts what a manager's instances cost against its grant.
type budget struct {
	limit charge // set once

	mu   sync.Mutex
	used charge // guarded by mu
}

// BudgetError is the refusal of a managed instance that would exceed the grant of instance.manage. It matches
// [ErrPermissionDenied].
//
// Safe for concurrent use.
type BudgetError struct {
	plugin        string
	setting       string
	limit, wanted uint64
	advice        string
}

// Error names the number to change, its value, and what was wanted.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("%s: plugin %s wants %d, its grant of %s allows %s %d: %s", ErrPermissionDenied, e.plugin, e.wanted,
		AuthorityInstanceManage, e.setting, e.limit, e.advice)
}

// Unwrap returns [ErrPermissionDenied].
func (e *BudgetError) Unwrap() error { return ErrPermissionDenied }

// Ceiling returns which number of the grant stands in the way ("scope.maxInstances" or "scope.maxMemoryBytes"), its value,
// and the value that would have been enough. Memory is in bytes.
func (e *BudgetError) Ceiling() (setting string, limit, wanted uint64) {
	return e.setting, e.limit, e.wanted
}

// take charges one instance, or says which number is too low.
func (b *budget) take(plugin string, c charge, declared bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used.instances+c.instances > b.limit.instances {
		return &BudgetError{plugin: plugin, setting: "scope.maxInstances", limit: b.limit.instances,
			wanted: b.used.instances + c.instances, advice: grantMore + ", or close instances"}
	}
	if b.used.memory+c.memory > b.limit.memory {
		return &BudgetError{plugin: plugin, setting: "scope.maxMemoryBytes", limit: b.limit.memory,
			wanted: b.used.memory + c.memory, advice: memoryAdvice(c, declared)}
	}
	b.used.instances += c.instances
	b.used.memory += c.memory
	return nil
}

// grantMore is the advice that begins every other: a grant is no wider than what the plugin asks for.
const grantMore = "grant more, where the plugin asks for more"

func memoryAdvice(c charge, declared bool) string {
	if declared {
		return fmt.Sprintf(grantMore+", or lower the memory maximum of %d bytes that the guest declares", c.memory)
	}
	return fmt.Sprintf(grantMore+", declare a memory maximum in the guest, or lower the runtime's memory limit "+
		"(RuntimeConfig.WithMemoryLimitPages), now %d bytes, which is what a guest without a maximum is charged", c.memory)
}

func (b *budget) give(c charge) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used.instances -= c.instances
	b.used.memory -= c.memory
}

// cost is what an instance of the module is charged, and whether the guest declares a memory maximum itself.
func (m *Module) cost(p Policy) (c charge, declared bool) {
	c.instances = 1
	memory, ok := m.compiled.code.Memory()
	if !ok {
		return c, true
	}
	pages := memory.Max
	if limit, limited := p.memoryPages(); limited {
		pages = min(pages, limit)
	}
	c.memory = uint64(pages) * pageBytes
	return c, memory.HasMax
}
