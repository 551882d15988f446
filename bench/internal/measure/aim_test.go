package measure_test

import (
	"math"
	"testing"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/stretchr/testify/assert"
)

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		aim    measure.Aim
		figure float64
		want   measure.Verdict
	}{
		"below a ceiling":        {measure.AtMost(2.5), 2.49, measure.Reached},
		"at a ceiling":           {measure.AtMost(2.5), 2.5, measure.Reached},
		"above a ceiling":        {measure.AtMost(2.5), 2.51, measure.Short},
		"at a ceiling of zero":   {measure.AtMost(0), 0, measure.Reached},
		"above one of zero":      {measure.AtMost(0), .01, measure.Short},
		"above a floor":          {measure.AtLeast(.9), .91, measure.Reached},
		"at a floor":             {measure.AtLeast(.9), .9, measure.Reached},
		"below a floor":          {measure.AtLeast(.9), .89, measure.Short},
		"no number, a ceiling":   {measure.AtMost(1), math.NaN(), measure.Short},
		"no number, a floor":     {measure.AtLeast(1), math.NaN(), measure.Short},
		"no end, a ceiling":      {measure.AtMost(1), math.Inf(1), measure.Short},
		"no aim":                 {measure.Aim{}, 1e9, measure.Noted},
		"no aim, and no number ": {measure.Aim{}, math.NaN(), measure.Noted},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, c.aim.Verdict(c.figure)) })
	}
}

func TestAnAimIsWrittenInItsUnit(t *testing.T) {
	assert.Equal(t, "≤ 2.5", measure.AtMost(2.5).Text(measure.Ratio))
	assert.Equal(t, "≥ 20", measure.AtLeast(20).Text(measure.Ratio))
	assert.Equal(t, "≤ 0", measure.AtMost(0).Text(measure.Allocations))
	assert.Equal(t, "≤ 10 ms", measure.AtMost(10e6).Text(measure.Nanoseconds))
	assert.Equal(t, "≤ 32 KiB", measure.AtMost(32<<10).Text(measure.Bytes))
	assert.Empty(t, measure.Aim{}.Text(measure.Ratio))
}
