package engine

import "fmt"

const (
	// PageSize is the size of a WebAssembly page in bytes.
	PageSize = 65536
	// MaxMemoryPages is the most pages a 32-bit memory can have (4 GiB). The last of
	// them can't be grown to where guests are stopped by InterruptCountdown.
	MaxMemoryPages = 65536
	// DefaultMemoryLimitPages is the limit where Config names none (64 MiB).
	DefaultMemoryLimitPages = 1024
	// MaxTableEntries limits all tables of a guest together (8 MiB): they are not
	// part of its memory. No table can grow beyond its share, or its minimum where
	// that is more.
	MaxTableEntries = 1 << 20
	// MaxHostSlots is the most 64-bit slots an imported function may take, and
	// the most it may return. A v128 is two slots.
	MaxHostSlots = 16
	// MaxNesting is how deep calls of one instance may nest through its host
	// functions. A deeper call fails with TrapStackFenceBreached: each level
	// takes Go stack, and running out of that would end the process.
	MaxNesting = 200
)

// LimitError says which number exceeds which setting. It unwraps to ErrLimit.
// Safe for concurrent use.
type LimitError struct {
	// Setting names the limit, as it is written in Go.
	Setting string
	// Subject says what wants more, in a few words.
	Subject string
	// Wanted is above Limit. Memory counts in pages of 64 KiB.
	Wanted, Limit uint64
}

// Error names subject, wanted number, limit and setting.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %s is %d, above %s of %d", string(ErrLimit), e.Subject, e.Wanted, e.Setting, e.Limit)
}

// Unwrap returns ErrLimit.
func (e *LimitError) Unwrap() error { return ErrLimit }
