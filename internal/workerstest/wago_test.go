package workerstest_test

import (
	"testing"
	"time"

	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workershost"
)

const grace = 50 * time.Millisecond

// newHost returns a harness; change, if not nil, puts something between the suite and the service.
func newHost(t *testing.T, change func(*workers.Workers) workers.Service) *workershost.Host {
	return workershost.New(t, workershost.Config{
		Limits: workers.WorkerLimits{MaxLiveWorkers: 8, MaxQueueBytes: 16 << 20}, Grace: grace, Wrap: change,
	})
}
