package supervise

import (
	"fmt"
	"math"
	"time"
)

const (
	// DefaultMaxRestarts is how many replacements a window holds unless told otherwise.
	DefaultMaxRestarts uint32 = 16
	// Unlimited, as MaxRestarts, lets replacements go on for ever, except those of workers that took no
	// task.
	Unlimited uint32 = math.MaxUint32
	// DefaultWindow is how long a replacement is remembered unless told otherwise.
	DefaultWindow = 60 * time.Second
	// Lifetime, as Window, remembers every replacement until Rearm.
	Lifetime time.Duration = math.MaxInt64
	// DefaultMaxBackoff is the longest delay unless told otherwise.
	DefaultMaxBackoff = 30 * time.Second
)

// Config says when a pool's workers are replaced. The zero value is ready to use.
//
// Safe for concurrent use while nobody changes it.
type Config struct {
	// Policy says which exits call for a replacement. Defaults to OnFailure.
	Policy Policy
	// MaxRestarts is how many replacements may lie within Window; the exit that would need one more halts
	// the pool. Above 4,096 the window slides in steps of 1/4,096 of its length, which bounds the memory.
	// Defaults to [DefaultMaxRestarts]; [Unlimited] lifts the bound.
	MaxRestarts uint32
	// Window is how long a replacement counts. Defaults to [DefaultWindow]; with [Lifetime] it counts until
	// Rearm.
	Window time.Duration
	// Backoff delays replacements. Off by default.
	Backoff Backoff
}

// Backoff delays replacements: the delay after failure n, counted from 0, is drawn uniformly from 0 to the
// lesser of Max and Base·2ⁿ ("full jitter"; Brooker: Exponential Backoff and Jitter, 2015). A window
// without a failure sets n back to 0. The zero value is no delay at all.
//
// Safe for concurrent use while nobody changes it.
type Backoff struct {
	// Base is the longest delay after the first failure. 0 turns the backoff off.
	Base time.Duration
	// Max is the longest delay there is, at least Base. Defaults to [DefaultMaxBackoff], or to Base if that
	// is longer.
	Max time.Duration
}

// Normalize returns the configuration with its defaults filled in. It fails with an error that wraps
// [ErrInvalidConfig] and names the field, its value and its bound: a policy that is none, a negative
// Window, Base or Max, a Max below Base or without one.
//
// Safe for concurrent use.
func (c Config) Normalize() (Config, error) {
	if c.Policy == 0 {
		c.Policy = OnFailure
	}
	if c.MaxRestarts == 0 {
		c.MaxRestarts = DefaultMaxRestarts
	}
	if c.Window == 0 {
		c.Window = DefaultWindow
	}
	if b := &c.Backoff; b.Base > 0 && b.Max == 0 {
		b.Max = max(DefaultMaxBackoff, b.Base)
	}
	return c, c.check()
}

func (c Config) check() error {
	switch b := c.Backoff; {
	case !c.Policy.Valid():
		return fmt.Errorf("%w: Policy %d is not in %d to %d", ErrInvalidConfig, uint8(c.Policy), OnFailure, Never)
	case c.Window < 0:
		return fmt.Errorf("%w: Window %v is below 0", ErrInvalidConfig, c.Window)
	case b.Base < 0:
		return fmt.Errorf("%w: Backoff.Base %v is below 0", ErrInvalidConfig, b.Base)
	case b.Max < 0:
		return fmt.Errorf("%w: Backoff.Max %v is below 0", ErrInvalidConfig, b.Max)
	case b.Base == 0 && b.Max > 0:
		return fmt.Errorf("%w: Backoff.Max %v needs a Backoff.Base above 0", ErrInvalidConfig, b.Max)
	case b.Max < b.Base:
		return fmt.Errorf("%w: Backoff.Max %v is below Backoff.Base %v", ErrInvalidConfig, b.Max, b.Base)
	}
	return nil
}
