package pool_test

// edges is one row of the table of imports: which packages may import what, and why no more than that. Standard library and a
// package itself go without saying, and so do the [testLibraries] in test files.
type edges struct {
	of    string   // a package, or everything below a path when it ends in /...; the longest match counts
	may   []string // the same, for what is imported
	tests []string // what test files may import besides
	why   string
}

var testLibraries = []string{"github.com/stretchr/testify/...", "go.uber.org/goleak", "pgregory.net/rapid"}

const (
	root      = "github.com/JairusSW/pool"
	wagoAll   = "github.com/wago-org/wago/..."
	theHost   = "github.com/wago-org/wago"
	wagoPlug  = "github.com/wago-org/wago/plugin"
	theEngine = "github.com/tetratelabs/wazero/..."
	workersID = "github.com/wago-org/workers"
)

var table = []edges{
	{
		of:    root,
		may:   []string{root + "/service", root + "/strategy", root + "/supervise", theHost, wagoPlug, workersID},
		tests: []string{root + "/register", root + "/internal/..."},
		why:   "wires the service into a host and gives its vocabulary the plugin's name; decides nothing itself",
	},
	{
		of:  root + "/register",
		may: []string{root, theHost},
		why: "lists the provider, as hosts expect it",
	},
	{
		of: root + "/service",
		may: []string{
			root + "/strategy", root + "/supervise", root + "/autoscale", root + "/events", theHost, workersID,
		},
		tests: []string{root, root + "/internal/...", wagoPlug},
		why:   "the one place where the decisions of the leaves meet the workers; the host's leases come as an interface",
	},
	{
		of:    root + "/strategy",
		tests: []string{root + "/internal/queuesim"},
		why:   "a leaf: can be understood, tested and used without anything else",
	},
	{of: root + "/supervise", why: "a leaf, as strategy"},
	{of: root + "/autoscale", why: "a leaf, as strategy"},
	{of: root + "/events", why: "a leaf, as strategy"},
	{of: root + "/internal/queuesim", why: "a simulation of queues for the leaves' tests, so a leaf itself"},
	{
		of: root + "/internal/...",
		may: []string{
			root, root + "/internal/...", root + "/register", root + "/service", root + "/strategy", root + "/supervise",
			theHost, wagoPlug, workersID, "github.com/stretchr/testify/...",
		},
		why: "the tests' kit; nothing that ships imports it",
	},
	{
		of:    root + "/internal/workerstest",
		may:   []string{theHost, workersID, "github.com/stretchr/testify/..."},
		tests: []string{root + "/internal/workershost"},
		why:   "the conformance suite of Workers; Pool must not be needed to pass it",
	},
	{
		of:  root + "/internal/workershost",
		may: []string{root + "/internal/workerstest", theHost, wagoPlug, workersID, "github.com/stretchr/testify/..."},
		why: "the real Workers under that suite; Pool must not be needed to build it",
	},
	{
		of:  root + "/internal/fakeworkers",
		may: []string{root + "/internal/workerstest", theHost, workersID},
		why: "a Workers without guests, under the same suite as the real one; Pool must not be needed to build it",
	},
	{
		of: root + "/cmd/...",
		may: []string{
			root, root + "/cmd/...", wagoAll, workersID,
			"github.com/alecthomas/kong", "github.com/vbauerster/...", "golang.org/x/term",
		},
		why: "an ordinary consumer over the contract: what it can do, everyone can",
	},
	{
		of: root + "/bench/...",
		may: []string{
			root, root + "/bench/...", root + "/events", root + "/register", wagoAll, workersID,
			"github.com/tetratelabs/wazero/...", "github.com/panjf2000/ants/...", "github.com/sourcegraph/conc/...", "golang.org/x/term",
		},
		why: "what a consumer and an embedder can measure, beside what they would pick instead",
	},
	{
		of:  root + "/pooltest/...",
		may: []string{root, root + "/pooltest/...", theHost, wagoPlug, workersID},
		why: "the kit for consumers' tests: over the contract, as they are; a test library in it would be one more download for them",
	},
	{
		of:    root + "/examples/...",
		may:   []string{root, root + "/examples/internal/...", root + "/register", theHost, wagoPlug, workersID},
		tests: []string{root + "/pooltest"},
		why:   "what a reader copies",
	},
	{
		of:    theHost,
		may:   []string{theHost + "/internal/..."},
		tests: []string{wagoAll},
		why:   "the host knows neither Workers nor Pool, and the engine only through one package",
	},
	{of: wagoPlug, may: []string{theHost}, why: "types for the host's contracts, nothing else"},
	{
		of:    theHost + "/tests/wasmtest",
		tests: []string{theEngine},
		why:   "writes guests byte by byte for tests; needs no host, its own tests see whether the engine takes them",
	},
	{of: theHost + "/wasi", may: []string{theHost}, why: "a plugin like any other"},
	{
		of:  theHost + "/internal/engine/...",
		may: []string{theHost + "/internal/engine/...", theHost + "/internal/countdown", theHost + "/internal/linear", theEngine},
		why: "the place that knows wazero",
	},
	{
		of:  theHost + "/internal/countdown",
		may: []string{theHost + "/internal/engine/binfmt", theEngine},
		why: "rewrites guests for the engine; knows bytes, not instances",
	},
	{of: theHost + "/internal/lease", why: "a leaf"},
	{of: theHost + "/internal/linear", why: "a leaf: maps memory, and knows no guests"},
	{of: theHost + "/internal/strictjson", why: "a leaf"},
	{of: theHost + "/internal/semrange", may: []string{"github.com/Masterminds/semver/v3"}, why: "the one place that knows semver"},
	{
		of:  theHost + "/internal/manifest",
		may: []string{theHost + "/internal/semrange", theHost + "/internal/strictjson"},
		why: "definitions and plans are data: no plugin code, no engine",
	},
	{
		of:    workersID,
		may:   []string{theHost, wagoPlug},
		tests: []string{workersID + "/register", theHost + "/tests/wasmtest"},
		why:   "Workers is below Pool and doesn't know it; it reaches guests through the host alone",
	},
	{of: workersID + "/register", may: []string{workersID, theHost}, why: "lists the provider, as hosts expect it"},
}
