package host

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/JairusSW/pool"
)

// Error is the type of the package's sentinel errors.
type Error string

// Error returns the text of e.
func (e Error) Error() string { return string(e) }

// ErrBudget: the workers could take more memory, or are more, than the host lends out; wrapped in a *BudgetError.
const ErrBudget Error = "over the host's budget"

// BudgetError says what the workers could take and what there is. It wraps ErrBudget.
type BudgetError struct {
	Workers uint32
	Each    uint64 // what one worker is charged, its memory's ceiling (bytes); 0: the workers alone are too many
	Budget  uint64 // what the host lends out (bytes, or workers)
}

// Error names both numbers and the way out.
func (e *BudgetError) Error() string {
	if e.Each == 0 {
		return fmt.Sprintf("%d workers are %s of %d workers: lower --workers or --max", e.Workers, string(ErrBudget), e.Budget)
	}
	return fmt.Sprintf("%d workers of up to %s of memory each are %s, %s of %s: lower --workers, --max or --memory-limit",
		e.Workers, Size(e.Each), Size(uint64(e.Workers)*e.Each), string(ErrBudget), Size(e.Budget))
}

// Unwrap returns ErrBudget.
func (e *BudgetError) Unwrap() error { return ErrBudget }

// CeilingError says that the configuration leaves no room for the workers. It wraps pool.ErrPoolWorkerLimit.
type CeilingError struct {
	Setting       string // the field of the configuration
	Limit, Wanted uint64 // workers
}

// Error names the setting, both numbers and the way out.
func (e *CeilingError) Error() string {
	return fmt.Sprintf("%s allows %d, wanted %d: raise it in --config, or ask for fewer workers", e.Setting, e.Limit, e.Wanted)
}

// Unwrap returns pool.ErrPoolWorkerLimit.
func (e *CeilingError) Unwrap() error { return pool.ErrPoolWorkerLimit }

// ConfigError says that Pool's configuration is refused. It wraps the reason.
type ConfigError struct{ Err error }

// Error names the flag, and the field or the byte.
func (e *ConfigError) Error() string {
	var refused *pool.ConfigError
	switch {
	case !errors.As(e.Err, &refused):
		return "--config: " + e.Err.Error()
	case refused.Field != "":
		return fmt.Sprintf("--config: field %q: %v", refused.Field, refused.Err)
	}
	return fmt.Sprintf("--config: at byte %d: %v", refused.Offset, refused.Err)
}

// Unwrap returns the reason.
func (e *ConfigError) Unwrap() error { return e.Err }

// Size writes a number of bytes in the largest unit, rounded up to one decimal, as in "64 MiB" or "4.1 GiB".
func Size(n uint64) string {
	for _, unit := range []struct {
		name  string
		bytes uint64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= unit.bytes {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", math.Ceil(10*float64(n)/float64(unit.bytes))/10), ".0") + " " + unit.name
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
