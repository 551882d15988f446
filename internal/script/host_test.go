package script_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/script"
	"github.com/JairusSW/pool/internal/workershost"
	"github.com/JairusSW/pool/internal/workerstest"
)

func TestScriptsOnRealGuests(t *testing.T) {
	for name, path := range scripts(t) {
		t.Run(name, func(t *testing.T) {
			why, err := script.FakeOnly(path)
			require.NoError(t, err)
			if why != "" {
				t.Skip("on the fake only: " + why)
			}
			script.Run(t, path, func(limits workers.WorkerLimits, _ fakeworkers.Extras) workerstest.Harness {
				return workershost.New(t, workershost.Config{Limits: limits})
			}, false)
		})
	}
}
