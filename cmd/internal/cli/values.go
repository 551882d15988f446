package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/host"
)

// choose returns the value that the text names. Hyphens and underscores are the same, for the contract spells its names with
// underscores.
func choose[T any](text []byte, choices []choice[T]) (T, error) {
	names := make([]string, len(choices))
	for i, c := range choices {
		if c.name == strings.ReplaceAll(string(text), "_", "-") {
			return c.value, nil
		}
		names[i] = c.name
	}
	var none T
	last := len(names) - 1
	return none, fmt.Errorf("%q is none of %s and %s", text, strings.Join(names[:last], ", "), names[last])
}

type choice[T any] struct {
	name  string
	value T
}

// strategy is the value of --strategy.
type strategy struct{ pool.Strategy }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *strategy) UnmarshalText(text []byte) (err error) {
	if string(text) == pool.Broadcast.String() {
		return fmt.Errorf("broadcast gives a record to every worker, so it has no single reply")
	}
	s.Strategy, err = choose(text, []choice[pool.Strategy]{
		{"round-robin", pool.RoundRobin}, {"least-loaded", pool.LeastLoaded}, {"random", pool.Random},
		{"power-of-two", pool.PowerOfTwo}, {"consistent-hash", pool.ConsistentHash},
	})
	return err
}

// overflow is the value of --overflow.
type overflow struct{ pool.OverflowPolicy }

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *overflow) UnmarshalText(text []byte) (err error) {
	if string(text) == pool.OverflowShed.String() {
		return fmt.Errorf("shed loses records, which this command never does")
	}
	o.OverflowPolicy, err = choose(text, []choice[pool.OverflowPolicy]{
		{"spill", pool.OverflowSpill}, {"reject", pool.OverflowReject},
	})
	return err
}

// restart is the value of --restart.
type restart struct{ pool.RestartPolicy }

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *restart) UnmarshalText(text []byte) (err error) {
	r.RestartPolicy, err = choose(text, []choice[pool.RestartPolicy]{
		{"on-failure", pool.RestartOnFailure}, {"always", pool.RestartAlways}, {"never", pool.RestartNever},
	})
	return err
}

// separator is the value of --separator.
type separator byte

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *separator) UnmarshalText(text []byte) (err error) {
	*s, err = choose(text, []choice[separator]{{"newline", '\n'}, {"nul", 0}})
	return err
}

// progress is the value of --progress.
type progress string

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *progress) UnmarshalText(text []byte) (err error) {
	*p, err = choose(text, []choice[progress]{{"auto", "auto"}, {"always", "always"}, {"never", "never"}})
	return err
}

// summaryForm is the value of --summary; empty when it was not given.
type summaryForm string

const (
	summaryNone summaryForm = "none"
	summaryText summaryForm = "text"
	summaryJSON summaryForm = "json"
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *summaryForm) UnmarshalText(text []byte) (err error) {
	*s, err = choose(text, []choice[summaryForm]{{"none", summaryNone}, {"text", summaryText}, {"json", summaryJSON}})
	return err
}

// mostWorkers is how many workers the host lends out.
var mostWorkers = number(host.MaxWorkers())

// number is a whole number.
type number uint32

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *number) UnmarshalText(text []byte) error {
	value, err := strconv.ParseUint(string(text), 10, 32)
	if err != nil {
		return fmt.Errorf("%q is no whole number from 0 to %d", text, uint32(math.MaxUint32))
	}
	*n = number(value)
	return nil
}

// within says whether a number is in its bounds.
func (n number) within(flag string, least, most number) error {
	if n < least || n > most {
		return fmt.Errorf("--%s is %d: at least %d, at most %d", flag, n, least, most)
	}
	return nil
}

// or is the number, or another when it was not given.
func (n *number) or(other number) number {
	if n == nil {
		return other
	}
	return *n
}

// duration is a span of time that is not negative, as in 500ms, 90s or 1h30m.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if err != nil || span < 0 {
		return fmt.Errorf("%q is no duration from 0s on, as in 500ms, 90s or 1h30m", text)
	}
	*d = duration(span)
	return nil
}

// positive says whether a duration is above zero.
func (d duration) positive(flag string) error {
	if d <= 0 {
		return fmt.Errorf("--%s is 0s: it has to be longer", flag)
	}
	return nil
}

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
