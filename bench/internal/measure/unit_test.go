package measure_test

import (
	"testing"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/stretchr/testify/assert"
)

func TestNumbersAreWrittenInTheirUnit(t *testing.T) {
	for _, c := range []struct {
		unit measure.Unit
		n    float64
		want string
	}{
		{measure.Ratio, 0.0123, "0.012"},
		{measure.Ratio, .25, "0.25"},
		{measure.Ratio, 2.207, "2.21"},
		{measure.Ratio, 20.04, "20.0"},
		{measure.Ratio, 1234.4, "1234"},
		{measure.Ratio, -.5, "-0.50"},
		{measure.Nanoseconds, .834, "0.83 ns"},
		{measure.Nanoseconds, 5, "5 ns"},
		{measure.Nanoseconds, 51.74, "51.7 ns"},
		{measure.Nanoseconds, 206.4, "206 ns"},
		{measure.Nanoseconds, 999.4, "999 ns"},
		{measure.Nanoseconds, 999.9, "1 µs"},
		{measure.Nanoseconds, 1464, "1.46 µs"},
		{measure.Nanoseconds, 26.1e6, "26.1 ms"},
		{measure.Nanoseconds, 5e12, "5000 s"},
		{measure.PerSecond, 28_600, "28.6 k/s"},
		{measure.PerSecond, 12.2e6, "12.2 M/s"},
		{measure.PerSecond, 100, "100/s"},
		{measure.Bytes, 512, "512 B"},
		{measure.Bytes, 10.4 * 1024, "10.4 KiB"},
		{measure.Bytes, -2048, "-2 KiB"},
		{measure.Bytes, 1 << 20, "1 MiB"},
		{measure.Allocations, .01, "0.01"},
		{measure.Allocations, 0, "0.00"},
	} {
		assert.Equal(t, c.want, c.unit.Text(c.n), "%g %s", c.n, c.unit)
	}
}
