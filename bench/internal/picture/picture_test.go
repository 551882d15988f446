package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/JairusSW/pool/bench/internal/picture"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var names = []string{"round-robin", "least-loaded", "Send", "a <channel> & more"}

// drawn is a picture whose last figures are close together.
func drawn(t *testing.T) string {
	t.Helper()
	table := &measure.Table{Sizes: []int{1, 16, 1024}, Cells: [][]float64{{60, 70, 30, 31}, {64, 90, 33, 30}, {70, 900, 69, 68}}}
	for _, name := range names {
		table.Columns = append(table.Columns, measure.Side{Name: name, Unit: measure.Nanoseconds})
	}
	var out bytes.Buffer
	require.NoError(t, picture.Picture{Title: "What it costs", Subtitle: "somewhere", Table: table, Ours: 2}.SVG(&out))
	return out.String()
}

// element is one of a document's, with its text.
type element struct {
	name       string
	attributes map[string]string
	text       string
}

func elements(t *testing.T, document string) (all []element) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attributes: make(map[string]string)}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			if len(all) > 0 {
				all[len(all)-1].text += strings.TrimSpace(string(token))
			}
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return n
}

func TestEveryCurveHasAPointForEachSizeInsideThePicture(t *testing.T) {
	var curves int
	for _, e := range elements(t, drawn(t)) {
		if e.name != "polyline" {
			continue
		}
		curves++
		points := strings.Fields(e.attributes["points"])
		assert.Len(t, points, 3)
		for _, p := range points {
			x, y, _ := strings.Cut(p, ",")
			assert.True(t, number(t, x) > 0 && number(t, x) < 860 && number(t, y) > 0 && number(t, y) < 480, p)
		}
	}
	assert.Equal(t, len(names), curves)
}

func TestOursAreInColourAndTheOthersDashed(t *testing.T) {
	var strokes []bool
	for _, e := range elements(t, drawn(t)) {
		if e.name == "polyline" {
			_, coloured := e.attributes["stroke"]
			_, dashed := e.attributes["stroke-dasharray"]
			assert.NotEqual(t, coloured, dashed)
			strokes = append(strokes, coloured)
		}
	}
	assert.Equal(t, []bool{true, true, false, false}, strokes)
}

func TestEveryCurveIsNamedAndNoNameIsUponAnother(t *testing.T) {
	var places []float64
	for _, e := range elements(t, drawn(t)) {
		if e.name == "text" && slices.Contains(names, e.text) {
			places = append(places, number(t, e.attributes["y"]))
			assert.Less(t, number(t, e.attributes["y"]), 480.0)
		}
	}
	require.Len(t, places, len(names))
	slices.Sort(places)
	for i := 1; i < len(places); i++ {
		assert.GreaterOrEqual(t, places[i]-places[i-1], 16.9)
	}
}

func TestMoreIsHigher(t *testing.T) {
	for _, e := range elements(t, drawn(t)) {
		if e.name != "polyline" || e.attributes["stroke"] == "" {
			continue
		}
		points := regexp.MustCompile(`,([\d.]+)`).FindAllStringSubmatch(e.attributes["points"], -1)
		assert.Less(t, number(t, points[2][1]), number(t, points[0][1]), "both of ours cost more at the greatest size")
	}
}

func TestThePictureFollowsTheReadersColoursAndHasNoGroundOfItsOwn(t *testing.T) {
	document := drawn(t)
	assert.Contains(t, document, "prefers-color-scheme: dark")
	assert.NotContains(t, document, "<rect")
}
