package workerstest_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/JairusSW/pool/internal/workerstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWorkersOnRealGuests(t *testing.T) {
	workerstest.Exercise(t, func(t *testing.T) workerstest.Harness { return newHost(t, nil) })
}
