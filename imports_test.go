package pool_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestImportsAreThoseOfTheTable(t *testing.T) {
	used := make(map[string]bool)
	for _, file := range sourceFiles(t) {
		row, ok := rowOf(file.pkg)
		if !ok {
			t.Errorf("package %s has no row in the table of imports", file.pkg)
			continue
		}
		used[row.of] = true
		for _, imported := range file.imports {
			if !row.allows(file, imported) {
				t.Errorf("%s imports %s, which its row in the table does not allow: %s", file.name, imported, row.why)
			}
		}
	}
	for _, row := range table {
		assert.True(t, used[row.of], "no package is meant by the row of %s", row.of)
		assert.NotEmpty(t, row.why, "the reason in the row of %s", row.of)
	}
}

func TestTheTableOfImportsRefuses(t *testing.T) {
	for name, edge := range map[string]struct {
		file source
		to   string
	}{
		"one leaf to another":       {source{pkg: root + "/strategy"}, root + "/events"},
		"a leaf's test to the host": {source{pkg: root + "/strategy", test: true}, theHost},
		"the service to the engine": {source{pkg: root + "/service"}, "github.com/tetratelabs/wazero/api"},
		"the host to Workers":       {source{pkg: theHost}, workersID},
		"Workers to Pool":           {source{pkg: workersID}, root + "/service"},
		"a test library in the service": {
			source{pkg: root + "/service"}, "github.com/stretchr/testify/require",
		},
		"a test library in the kit for consumers": {
			source{pkg: root + "/pooltest"}, "github.com/stretchr/testify/require",
		},
		"the kit for consumers to this module's own kit": {
			source{pkg: root + "/pooltest"}, root + "/internal/rig",
		},
	} {
		t.Run(name, func(t *testing.T) {
			row, ok := rowOf(edge.file.pkg)
			require.True(t, ok)
			assert.False(t, row.allows(edge.file, edge.to))
		})
	}
}

// source is a Go file of this checkout.
type source struct {
	name, pkg string
	test      bool
	imports   []string
}

func (e edges) allows(file source, imported string) bool {
	allowed := append([]string{file.pkg}, e.may...)
	if file.test {
		allowed = slices.Concat(allowed, e.tests, testLibraries)
	}
	return slices.ContainsFunc(allowed, func(pattern string) bool { return matches(pattern, imported) })
}

// rowOf returns the row with the longest match.
func rowOf(pkg string) (best edges, found bool) {
	for _, row := range table {
		if matches(row.of, pkg) && (!found || len(row.of) > len(best.of)) {
			best, found = row, true
		}
	}
	return best, found
}

func matches(pattern, pkg string) bool {
	below, wide := strings.CutSuffix(pattern, "/...")
	return pkg == below || wide && strings.HasPrefix(pkg, below+"/")
}

// sourceFiles returns every Go file of every module, whatever the build tags say.
func sourceFiles(t testing.TB) (files []source) {
	t.Helper()
	modules := map[string]string{".": root}
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skipped(entry.Name()):
			return filepath.SkipDir
		case entry.IsDir():
			modules[name] = importPath(t, modules, name)
		case strings.HasSuffix(name, ".go"):
			files = append(files, readImports(t, name, modules[filepath.Dir(name)]))
		}
		return nil
	}))
	return files
}

// skipped reports whether the go command looks past a folder of that name.
func skipped(name string) bool {
	return name == "testdata" || name != "." && strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// importPath returns the import path of a folder: what its go.mod says, or its parent's and its own name.
func importPath(t testing.TB, known map[string]string, dir string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return readModule(t, dir).Module.Path
	}
	return path.Join(known[filepath.Dir(dir)], filepath.Base(dir))
}

func readImports(t testing.TB, name, pkg string) source {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	require.NoError(t, err)
	s := source{name: name, pkg: pkg, test: strings.HasSuffix(name, "_test.go")}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") { // else the standard library
			s.imports = append(s.imports, imported)
		}
	}
	return s
}
