package pool_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadmeNamesWhatThereIs(t *testing.T) {
	readme := readText(t, "README.md")
	named := func(what, name string) {
		t.Helper()
		found := regexp.MustCompile("`" + regexp.QuoteMeta(name) + "[`{(]").MatchString(readme)
		assert.True(t, found, "README.md doesn't name the %s %s", what, name)
	}
	contract := reflect.TypeFor[pool.Service]()
	for i := range contract.NumMethod() {
		named("method", contract.Method(i).Name)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[pool.PoolOptions]()) {
		named("option", field.Name)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[pool.WorkerOptions]()) {
		named("option", field.Name)
	}
	v := newVocabulary(t)
	for _, name := range v.sentinels() {
		named("constant", name)
	}
	for _, typeName := range []string{"Strategy", "OverflowPolicy", "RestartPolicy", "PoolEventKind"} {
		for name := range v.constants(t, typeName) {
			named("constant", name)
		}
	}
}

func TestReadmesLimitsAreTheSchemas(t *testing.T) {
	readme := readText(t, "README.md")
	for name, number := range readSchema(t).Properties {
		byDefault := "GOMAXPROCS"
		if number.Default != nil {
			byDefault = fmt.Sprint(*number.Default)
		}
		row := fmt.Sprintf("| `%s` | %s | %s to %s |", name, byDefault, grouped(*number.Minimum), grouped(*number.Maximum))
		says(t, "README.md", readme, row)
	}
}

// says checks that a document has a text, and complains of that text alone: not of the whole document.
func says(t testing.TB, name, document, text string) {
	t.Helper()
	assert.True(t, strings.Contains(document, text), "%s doesn't say: %s", name, text)
}

// grouped writes a number with a blank between each three digits.
func grouped(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s %03d", grouped(n/1000), n%1000)
}

func TestReadmesCodeIsTheExamples(t *testing.T) {
	var code strings.Builder
	files, err := filepath.Glob("examples/consumer/*.go")
	require.NoError(t, err)
	for _, name := range files {
		code.WriteString(readText(t, name))
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readText(t, "README.md"), -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		says(t, "examples/consumer", code.String(), block[1])
	}
}

// The examples are a module that imports Pool: what its go.mod replaces, others must replace too.
func TestReadmesReplaceLinesAreThoseThatImportersNeed(t *testing.T) {
	readme := readText(t, "README.md")
	replaced := readModule(t, "examples").Replace
	require.NotEmpty(t, replaced)
	for _, r := range replaced {
		inClone := path.Join("../pool", strings.TrimPrefix(r.New.Path, "../"))
		says(t, "README.md", readme, fmt.Sprintf("\t%s => %s\n", r.Old.Path, inClone))
	}
}

func TestDocumentsLinkToWhatIsThere(t *testing.T) {
	documents, err := filepath.Glob("*.md")
	require.NoError(t, err)
	more, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	for _, name := range append(documents, more...) {
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(readText(t, name), -1) {
			if !strings.Contains(link[1], "://") {
				_, err := os.Stat(filepath.Join(filepath.Dir(name), link[1]))
				assert.NoError(t, err, name)
			}
		}
	}
}

// The promises of SECURITY.md are as good as the tests that it names.
func TestSecurityNamesTestsThatThereAre(t *testing.T) {
	var tests strings.Builder
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, "_test.go") {
			tests.WriteString(readText(t, name))
		}
		return err
	}))
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z0-9][A-Za-z0-9]*)`").FindAllStringSubmatch(readText(t, "SECURITY.md"), -1)
	require.Greater(t, len(named), 20)
	for _, name := range named {
		assert.True(t, strings.Contains(tests.String(), "\nfunc "+name[1]+"("), name[1])
	}
}

func readText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
