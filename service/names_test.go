package service_test

import (
	"encoding"
	"fmt"
	"regexp"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// enumeration is what each of the service's has.
type enumeration interface {
	fmt.Stringer
	encoding.TextMarshaler
}

func TestEnumerationsHaveOneSpelling(t *testing.T) {
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for name, e := range map[string]struct {
		first, last uint8
		value       func(uint8) enumeration
		parse       func(text []byte) (enumeration, error)
	}{
		"overflow policy": {1, uint8(pool.OverflowShed), func(n uint8) enumeration { return pool.OverflowPolicy(n) }, parse[pool.OverflowPolicy]},
		"event kind":      {1, uint8(pool.PoolEventsLost), func(n uint8) enumeration { return pool.PoolEventKind(n) }, parse[pool.PoolEventKind]},
		"reason":          {0, uint8(pool.ReasonSpawnFailed), func(n uint8) enumeration { return pool.Reason(n) }, parse[pool.Reason]},
		"restart policy":  {1, uint8(pool.RestartNever), func(n uint8) enumeration { return pool.RestartPolicy(n) }, parse[pool.RestartPolicy]},
		"strategy":        {1, uint8(pool.Broadcast), func(n uint8) enumeration { return pool.Strategy(n) }, parse[pool.Strategy]},
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			for n := e.first; n <= e.last; n++ {
				v := e.value(n)
				assert.Regexp(t, snake, v.String())
				assert.False(t, seen[v.String()], "%v twice", v)
				seen[v.String()] = true
				text, err := v.MarshalText()
				require.NoError(t, err)
				assert.Equal(t, v.String(), string(text))
				back, err := e.parse(text)
				require.NoError(t, err)
				assert.Equal(t, v, back)
			}
			unknown := e.value(255)
			assert.Contains(t, unknown.String(), "255")
			_, err := unknown.MarshalText()
			assert.Error(t, err)
			for _, text := range []string{"", "nothing_like_it", "ROUND_ROBIN"} {
				_, err := e.parse([]byte(text))
				assert.Error(t, err, "%q", text)
			}
		})
	}
}

// parse reads a T from its text.
func parse[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](text []byte) (enumeration, error) {
	var v T
	err := P(&v).UnmarshalText(text)
	return any(v).(enumeration), err
}

func TestThePublishedNumbersStay(t *testing.T) {
	for n, kind := range []pool.PoolEventKind{
		1: pool.PoolCreated, pool.PoolWorkerAdded, pool.PoolWorkerRemoved, pool.PoolScaled, pool.PoolTaskRouted, pool.PoolTaskRejected,
		pool.PoolDrained, pool.PoolDestroyed, pool.PoolDraining, pool.PoolHalted, pool.PoolRearmed, pool.PoolTaskFailed,
		pool.PoolTaskDropped, pool.PoolTaskRedelivered, pool.PoolTaskRetried, pool.PoolTaskShed, pool.PoolLimited, pool.PoolEventsLost,
	} {
		if n > 0 {
			assert.EqualValues(t, n, kind)
		}
	}
	for n, strategy := range strategies {
		assert.EqualValues(t, n+1, strategy)
	}
	for n, policy := range []pool.OverflowPolicy{pool.OverflowSpill, pool.OverflowReject, pool.OverflowShed} {
		assert.EqualValues(t, n+1, policy)
	}
	for n, policy := range []pool.RestartPolicy{pool.RestartOnFailure, pool.RestartAlways, pool.RestartNever} {
		assert.EqualValues(t, n+1, policy)
	}
}
