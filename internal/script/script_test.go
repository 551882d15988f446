package script_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/script"
	"github.com/JairusSW/pool/internal/workerstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write what the scripts print into them")

func onFake(limits workers.WorkerLimits, without fakeworkers.Extras) workerstest.Harness {
	return fakeworkers.New(fakeworkers.Config{Limits: limits, Without: without})
}

func TestScriptsOnTheFake(t *testing.T) {
	for name, path := range scripts(t) {
		t.Run(name, func(t *testing.T) { script.Run(t, path, onFake, *update) })
	}
}

func scripts(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "scripts", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	byName := make(map[string]string)
	for _, path := range paths {
		byName[strings.TrimSuffix(filepath.Base(path), ".txt")] = path
	}
	return byName
}
