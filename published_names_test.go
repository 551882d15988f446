package pool_test

import (
	"fmt"
	"go/parser"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// The names that Wago and Workers have published, one a line and sorted, as in wago.Registrar.Config. What the packages of
// [portable] use beyond them would not build against the published modules.
const publishedNames = "testdata/published-names.txt"

// portable are the packages that build against the published modules, once the two replace lines are gone.
var portable = []string{
	pool.PluginID,
	pool.PluginID + "/autoscale",
	pool.PluginID + "/events",
	pool.PluginID + "/register",
	pool.PluginID + "/service",
	pool.PluginID + "/strategy",
	pool.PluginID + "/supervise",
}

// publishers are the packages whose names are published, with the first word they have in the list.
var publishers = map[string]string{
	"github.com/wago-org/wago":        "wago",
	"github.com/wago-org/wago/plugin": "plugin",
	workers.PluginID:                  "workers",
}

func TestOnlyPublishedNamesOfWagoAndWorkersAreUsed(t *testing.T) {
	c := newChecker(t, portable...)
	published := newPublished(t, c)
	for _, path := range portable {
		for ident, object := range c.check(t, path) {
			if complaint := published.refuse(object); complaint != "" {
				t.Errorf("%s: %s", c.files.Position(ident.Pos()), complaint)
			}
		}
	}
}

// The test above would pass as well if nothing were ever looked at.
func TestNamesThatAreNotPublishedAreFound(t *testing.T) {
	const source = `package probe
		import ("github.com/wago-org/wago"; "github.com/wago-org/workers")
		func probe(rt *wago.Runtime, w *workers.Workers, d wago.PluginDefinition) error {
			_ = d.ID
			_ = workers.WithKillGrace
			rt.Instances()
			return w.Retire(1)
		}`
	c := newChecker(t, portable...)
	published := newPublished(t, c)
	file, err := parser.ParseFile(c.files, "probe.go", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []string
	for _, object := range c.uses(t, "probe", file) {
		if published.refuse(object) != "" {
			found = append(found, object.Name())
		}
	}
	slices.Sort(found)
	require.Equal(t, []string{"Instances", "Retire", "WithKillGrace"}, found)
}

// Whoever wrote a plugin for the published modules finds every name of theirs here.
func TestEveryPublishedNameIsThere(t *testing.T) {
	published := newPublished(t, newChecker(t, portable...))
	there := make(map[string]bool)
	for _, names := range published.names {
		for _, name := range names {
			there[name] = true
		}
	}
	for name := range published.list {
		require.True(t, there[name], name)
	}
}

func TestPublishedNamesAreSortedAndOnce(t *testing.T) {
	lines := readLines(t, publishedNames)
	sorted := slices.Clone(lines)
	slices.Sort(sorted)
	require.Equal(t, slices.Compact(sorted), lines)
}

// published knows the full names of what the publishers' packages export.
type published struct {
	list  map[string]bool
	names map[types.Object][]string // several where a type is embedded
}

func newPublished(t testing.TB, c *checker) *published {
	t.Helper()
	p := &published{list: make(map[string]bool), names: make(map[types.Object][]string)}
	for _, line := range readLines(t, publishedNames) {
		p.list[line] = true
	}
	for path, word := range publishers {
		pkg, err := c.imports.Import(path)
		require.NoError(t, err)
		for _, name := range pkg.Scope().Names() {
			p.add(pkg.Scope().Lookup(name), word)
		}
	}
	return p
}

// add names an object of a package, and the methods and fields of a type. An alias gives its name to what it stands for.
func (p *published) add(object types.Object, prefix string) {
	if !object.Exported() {
		return
	}
	name := prefix + "." + object.Name()
	p.names[object] = append(p.names[object], name)
	if typeName, ok := object.(*types.TypeName); ok {
		if named, ok := types.Unalias(typeName.Type()).(*types.Named); ok {
			p.addMembers(named, name)
		}
	}
}

func (p *published) addMembers(named *types.Named, prefix string) {
	for method := range named.Methods() {
		p.add(method, prefix)
	}
	switch shape := named.Underlying().(type) {
	case *types.Struct:
		for field := range shape.Fields() {
			p.add(field, prefix)
		}
	case *types.Interface:
		for method := range shape.Methods() {
			p.add(method, prefix)
		}
	}
}

// refuse says what is wrong with the use of an object; nothing when it is published or none of the publishers'.
func (p *published) refuse(object types.Object) string {
	switch generic := object.(type) {
	case *types.Var:
		object = generic.Origin()
	case *types.Func:
		object = generic.Origin()
	}
	if object.Pkg() == nil || !publishes(object.Pkg().Path()) {
		return ""
	}
	names := p.names[object]
	if len(names) == 0 {
		return fmt.Sprintf("%v has no published name", object)
	}
	if !slices.ContainsFunc(names, func(name string) bool { return p.list[name] }) {
		return fmt.Sprintf("%v is not published", names)
	}
	return ""
}

// publishes reports whether a package belongs to one of the publishers' modules.
func publishes(path string) bool {
	for module := range publishers {
		if path == module || strings.HasPrefix(path, module+"/") {
			return true
		}
	}
	return false
}

func readLines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
