package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/JairusSW/pool"
)

// snake is the contract's spelling of an enumeration's value; flags accept hyphens too.
func snake(text []byte) []byte { return []byte(strings.ReplaceAll(string(text), "-", "_")) }

// strategy is the value of --strategy.
type strategy struct{ pool.Strategy }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *strategy) UnmarshalText(text []byte) error {
	if err := s.Strategy.UnmarshalText(snake(text)); err != nil {
		return err
	}
	if s.Strategy == pool.Broadcast {
		return fmt.Errorf("broadcast gives a record to every worker, so it has no single reply")
	}
	return nil
}

// overflow is the value of --overflow.
type overflow struct{ pool.OverflowPolicy }

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *overflow) UnmarshalText(text []byte) error {
	if err := o.OverflowPolicy.UnmarshalText(snake(text)); err != nil {
		return err
	}
	if o.OverflowPolicy == pool.OverflowShed {
		return fmt.Errorf("shed loses records, which this command never does")
	}
	return nil
}

// restart is the value of --restart.
type restart struct{ pool.RestartPolicy }

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *restart) UnmarshalText(text []byte) error { return r.RestartPolicy.UnmarshalText(snake(text)) }

// unlimited is how --max-restarts spells no limit.
const unlimited = "unlimited"

// restarts is the value of --max-restarts.
type restarts uint32

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *restarts) UnmarshalText(text []byte) error {
	if string(text) == unlimited {
		*r = restarts(pool.UnlimitedRestarts)
		return nil
	}
	n, err := strconv.ParseUint(string(text), 10, 32)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is neither a number from 1 on nor %q; --restart never is for none", text, unlimited)
	}
	*r = restarts(n)
	return nil
}

// size is a number of bytes, as in 65536, 64KiB or 1MiB.
type size uint64

var units = []struct {
	suffix string
	factor uint64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"", 1}}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *size) UnmarshalText(text []byte) error {
	for _, unit := range units {
		digits, ok := strings.CutSuffix(string(text), unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil || n > math.MaxUint64/unit.factor {
			break
		}
		*s = size(n * unit.factor)
		return nil
	}
	return fmt.Errorf("%q is no number of bytes, as in 65536, 64KiB or 1MiB", text)
}

// String writes the size as UnmarshalText reads it.
func (s size) String() string {
	for _, unit := range []int{2, 1, 0} {
		if factor := units[unit].factor; uint64(s) >= factor && uint64(s)%factor == 0 {
			return fmt.Sprintf("%d%s", uint64(s)/factor, units[unit].suffix)
		}
	}
	return strconv.FormatUint(uint64(s), 10)
}

// within says whether a size is in its bounds.
func (s size) within(flag string, least, most size) error {
	if s < least || s > most {
		return fmt.Errorf("--%s is %s: at least %s, at most %s", flag, s, least, most)
	}
	return nil
}
