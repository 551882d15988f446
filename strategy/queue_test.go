package strategy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/JairusSW/pool/internal/queuesim"
	"github.com/JairusSW/pool/strategy"
)

// routed simulates a pool whose tasks are routed by a strategy.
func routed(t *testing.T, kind strategy.Kind, c queuesim.Config) queuesim.Result {
	t.Helper()
	picker := newPicker(t, kind, strategy.Options{Seed: 1})
	return queuesim.Run(c, func(p *queuesim.Pool) func() int {
		entries := fleet(len(p.Loads))
		for i := range entries {
			entries[i].Load = &p.Loads[i]
		}
		v := picker.View(nil, entries)
		return func() int {
			pos, _ := picker.First(v, 0)
			return pos
		}
	})
}

func arrivals() int {
	if testing.Short() {
		return 100_000
	}
	return 1_500_000
}

func TestResponseTimesAtHighLoad(t *testing.T) {
	c := queuesim.Config{Slowness: queuesim.Even(16), Load: 0.9, Arrivals: arrivals(), Seed: 1}
	p99 := map[strategy.Kind]float64{}
	for _, kind := range []strategy.Kind{strategy.Random, strategy.RoundRobin, strategy.PowerOfTwo, strategy.LeastLoaded} {
		p99[kind] = routed(t, kind, c).P99
		t.Logf("%-12v p99 %.2f service times", kind, p99[kind])
	}
	two := p99[strategy.PowerOfTwo]
	t.Logf("power of two over random %.3f, over round robin %.3f", two/p99[strategy.Random], two/p99[strategy.RoundRobin])
	assert.LessOrEqual(t, two/p99[strategy.Random], 0.25)
	assert.LessOrEqual(t, two/p99[strategy.RoundRobin], 0.45)
	assert.Less(t, p99[strategy.LeastLoaded], two)
}

func TestResponseTimesWithTwoSlowWorkers(t *testing.T) {
	slowness := queuesim.Even(16)
	slowness[3], slowness[11] = 4, 4
	c := queuesim.Config{Slowness: slowness, Load: 0.7, Arrivals: arrivals(), Seed: 1}
	two, least := routed(t, strategy.PowerOfTwo, c).P99, routed(t, strategy.LeastLoaded, c).P99
	t.Logf("p99 in service times: power of two %.2f, least loaded %.2f", two, least)
	assert.LessOrEqual(t, two, 20.0)
	assert.LessOrEqual(t, least, 10.0)
}
