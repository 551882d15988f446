package console_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/JairusSW/pool/cmd/internal/console"
)

func TestTheRateIsThatOfTheLastSeconds(t *testing.T) {
	assert.Zero(t, console.Rate(5))
	assert.InDelta(t, 10, console.Rate(0, 10), 1e-9)
	assert.InDelta(t, 10, console.Rate(0, 10, 20, 30), 1e-9)
	assert.InDelta(t, 0, console.Rate(0, 1000, 1000, 1000, 1000, 1000), 1e-9)
	assert.InDelta(t, 200, console.Rate(0, 0, 0, 0, 0, 200, 400, 600), 1e-9)
}
