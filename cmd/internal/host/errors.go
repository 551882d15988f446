package host

import "fmt"

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

// Error names both numbers.
func (e *BudgetError) Error() string {
	if e.Each == 0 {
		return fmt.Sprintf("%d workers are %s of %d workers", e.Workers, string(ErrBudget), e.Budget)
	}
	return fmt.Sprintf("%d workers of up to %d bytes of memory each are %d bytes, %s of %d bytes: "+
		"lower --workers or --memory-limit", e.Workers, e.Each, uint64(e.Workers)*e.Each, string(ErrBudget), e.Budget)
}

// Unwrap returns ErrBudget.
func (e *BudgetError) Unwrap() error { return ErrBudget }
