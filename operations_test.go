package pool_test

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const operations = "docs/operations.md"

// Each of these tables is where one looks a name up: it has every name there is, and no other.
func TestOperationsNamesWhatThereIs(t *testing.T) {
	v := newVocabulary(t)
	for heading, names := range map[string][]string{
		"### PoolStats":     fieldsOf[pool.PoolStats](),
		"### WorkerStat":    fieldsOf[pool.WorkerStat](),
		"## Reading events": slices.Collect(maps.Keys(v.constants(t, "PoolEventKind"))),
		"### Reasons":       slices.Collect(maps.Keys(v.constants(t, "Reason"))),
		"## Errors":         append(v.sentinels(), v.errorTypes()...),
	} {
		t.Run(heading, func(t *testing.T) {
			require.NotEmpty(t, names)
			rows := make(map[string]int)
			for _, row := range rowsBelow(t, operations, heading) {
				for _, name := range quoted.FindAllStringSubmatch(row[0], -1) {
					rows[name[1]]++
				}
			}
			for _, name := range names {
				assert.Equal(t, 1, rows[name], "rows that begin with %s", name)
			}
			for name := range rows {
				assert.True(t, slices.Contains(names, name), "there is no %s", name)
			}
		})
	}
}

func fieldsOf[T any]() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		names = append(names, field.Name)
	}
	return names
}

var quoted = regexp.MustCompile("`([^`]+)`")

// rowsBelow returns the cells of the rows of a document's tables between a heading and the next one. A table's head is none of
// its rows.
func rowsBelow(t testing.TB, document, heading string) (rows [][]string) {
	t.Helper()
	_, rest, found := strings.Cut(readText(t, document), "\n"+heading+"\n")
	require.True(t, found, "%s has no heading %s", document, heading)
	inBody := false
	for _, line := range strings.Split(rest, "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
			return rows
		case !strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "|--"):
			inBody = false
		case strings.HasPrefix(line, "|--"):
			inBody = true
		case inBody:
			rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	return rows
}
