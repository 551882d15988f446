package fakeworkers_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func small(without fakeworkers.Extras) fakeworkers.Config {
	return fakeworkers.Config{
		Limits: workers.WorkerLimits{MaxLiveWorkers: 8, MaxQueueBytes: 16 << 20}, Grace: 50 * time.Millisecond, Without: without,
	}
}

func TestTheFakePassesTheSuiteOfTheRealOne(t *testing.T) {
	workerstest.Exercise(t, func(*testing.T) workerstest.Harness { return fakeworkers.New(small(0)) })
}

func TestTheFakeWithoutExtrasPassesTheSuite(t *testing.T) {
	workerstest.Exercise(t, func(*testing.T) workerstest.Harness { return fakeworkers.New(small(fakeworkers.All)) })
}
