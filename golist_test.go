package pool_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// goTool runs the go command in a folder of this checkout and returns what it printed.
func goTool(t testing.TB, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	var complaints bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &complaints
	out, err := cmd.Output()
	require.NoError(t, err, "go %v: %s", args, &complaints)
	return out
}

// listed is what go list tells about a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// checker type-checks packages of this module from source, and what they import from the compiler's export data.
type checker struct {
	files    *token.FileSet
	packages map[string]listed
	imports  types.Importer
}

func newChecker(t testing.TB, patterns ...string) *checker {
	t.Helper()
	c := &checker{files: token.NewFileSet(), packages: make(map[string]listed)}
	args := append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles"}, patterns...)
	stream := json.NewDecoder(bytes.NewReader(goTool(t, ".", args...)))
	for {
		var p listed
		if err := stream.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		c.packages[p.ImportPath] = p
	}
	c.imports = importer.ForCompiler(c.files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(c.packages[path].Export)
	})
	return c
}

// check type-checks a listed package and returns what each identifier in it stands for.
func (c *checker) check(t testing.TB, path string) map[*ast.Ident]types.Object {
	t.Helper()
	p, ok := c.packages[path]
	require.True(t, ok, "package %s is not listed", path)
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		parsed = append(parsed, file)
	}
	return c.uses(t, path, parsed...)
}

func (c *checker) uses(t testing.TB, path string, parsed ...*ast.File) map[*ast.Ident]types.Object {
	t.Helper()
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: c.imports}
	_, err := config.Check(path, c.files, parsed, &info)
	require.NoError(t, err)
	return info.Uses
}
