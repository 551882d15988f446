package pool_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// direct lists what each module requires directly besides [testRequirements]: who imports Pool downloads what Pool and the
// two modules below it need, and nothing that only the command, the benchmarks or an example need.
var direct = map[string][]string{
	".": {theHost, workersID},
	"cmd": {
		root, theHost, workersID,
		"github.com/alecthomas/kong", "github.com/vbauerster/cupwriter", "github.com/vbauerster/mpb/v8", "golang.org/x/term",
	},
	"bench": {
		root, theHost, workersID,
		"github.com/panjf2000/ants/v2", "github.com/sourcegraph/conc", "github.com/tetratelabs/wazero", "golang.org/x/term",
	},
	"examples":         {root, theHost, workersID},
	"internal/wago":    {"github.com/Masterminds/semver/v3", "github.com/tetratelabs/wazero"},
	"internal/workers": {theHost},
}

var testRequirements = []string{"github.com/stretchr/testify", "go.uber.org/goleak", "pgregory.net/rapid"}

// heavy are requirements that must not reach a module's importers, not even indirectly.
var heavy = map[string][]string{
	".": {"github.com/alecthomas/kong", "github.com/vbauerster/mpb/v8", "github.com/panjf2000/ants/v2", "golang.org/x/term", "golang.org/x/tools"},
}

func TestModulesRequireOnlyWhatTheyNeed(t *testing.T) {
	for _, dir := range workspace(t) {
		t.Run(dir, func(t *testing.T) {
			allowed, ok := direct[dir]
			require.True(t, ok, "the module has no row")
			for _, need := range readModule(t, dir).Require {
				assert.NotContains(t, heavy[dir], need.Path)
				if !need.Indirect {
					assert.Contains(t, append(testRequirements, allowed...), need.Path)
				}
			}
		})
	}
}

func TestPoolReplacesTheTwoModulesBelowIt(t *testing.T) {
	replaced := make(map[string]string)
	for _, r := range readModule(t, ".").Replace {
		replaced[r.Old.Path] = r.New.Path
	}
	assert.Equal(t, map[string]string{theHost: "./internal/wago", workersID: "./internal/workers"}, replaced)
}

type module struct {
	Module  struct{ Path string }
	Require []struct {
		Path     string
		Indirect bool
	}
	Replace []struct{ Old, New struct{ Path string } }
}

func readModule(t testing.TB, dir string) (m module) {
	t.Helper()
	require.NoError(t, json.Unmarshal(goTool(t, dir, "mod", "edit", "-json"), &m))
	return m
}

// workspace returns the folders of every module that go.work joins.
func workspace(t testing.TB) (dirs []string) {
	t.Helper()
	var work struct{ Use []struct{ DiskPath string } }
	require.NoError(t, json.Unmarshal(goTool(t, ".", "work", "edit", "-json", "go.work"), &work))
	for _, use := range work.Use {
		dirs = append(dirs, filepath.ToSlash(filepath.Clean(use.DiskPath)))
	}
	return dirs
}
