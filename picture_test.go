package pool_test

import (
	"encoding/xml"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const picture = "docs/task.svg"

// notOfTasks are the numbers of a PoolStats that count something else than tasks on their way.
var notOfTasks = map[string]string{
	"Foreign":   "messages that were sent past the pool",
	"Restarted": "workers",
	"Exited":    "workers",
	"Failed":    "workers",
}

func TestThePictureOfATaskNamesTheCountersOfTheLedger(t *testing.T) {
	stats := reflect.TypeFor[pool.PoolStats]()
	drawn := make(map[string]bool)
	for _, counter := range regexp.MustCompile(`class="[^"]*\bcounter\b[^"]*"[^>]*>([^<]*)<`).FindAllStringSubmatch(readText(t, picture), -1) {
		drawn[counter[1]] = true
		_, ok := stats.FieldByName(counter[1])
		assert.True(t, ok, "%q is no field of PoolStats", counter[1])
	}
	for _, field := range reflect.VisibleFields(stats) {
		if _, other := notOfTasks[field.Name]; field.Type == reflect.TypeFor[uint64]() && !other {
			assert.True(t, drawn[field.Name], "%s is not in the picture", field.Name)
		}
	}
}

// It is shown by what shows images: no script, nothing from elsewhere, and a page of its own to be legible on any ground.
func TestThePictureOfATaskStandsByItself(t *testing.T) {
	text := readText(t, picture)
	require.NoError(t, xml.Unmarshal([]byte(text), new(struct{ XMLName xml.Name })))
	rest := strings.Replace(text, `xmlns="http://www.w3.org/2000/svg"`, "", 1)
	for _, foreign := range []string{"<script", "@import", "@font-face", "href", "http", "<image", "<foreignObject"} {
		assert.NotContains(t, rest, foreign)
	}
	assert.Contains(t, text, `<rect class="page"`)
	assert.Regexp(t, `!\[[^\]]{40,}\]\(`+regexp.QuoteMeta(picture)+`\)`, readText(t, "README.md"), "with a text for who can't see it")
}
