package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/strictjson"
)

type limits struct {
	MaxPools uint32            `json:"maxPools"`
	Shift    int32             `json:"shift"`
	Name     string            `json:"name,omitempty"`
	Flag     *bool             `json:"flag"`
	Inner    *inner            `json:"inner"`
	List     []inner           `json:"list"`
	ByName   map[string]inner  `json:"byName"`
	Free     any               `json:"free"`
	Raw      json.RawMessage   `json:"raw"`
	Labels   map[string]string `json:"labels"`
	Skipped  int               `json:"-"`
	Untagged int
	embedded
}

type embedded struct {
	Deep int `json:"deep"`
}

type inner struct {
	Max int `json:"max"`
}

func TestDecodeAccepts(t *testing.T) {
	for name, text := range map[string]string{
		"nothing set":                         `{}`,
		"a field":                             `{"maxPools":3}`,
		"a newline behind":                    "{\"maxPools\":3}\n",
		"blanks around":                       " \t\r\n{ \"maxPools\" : 3 } \r\n\t ",
		"minus zero for a signed integer":     `{"shift":-0}`,
		"the largest value":                   `{"maxPools":4294967295}`,
		"an untagged field":                   `{"Untagged":1}`,
		"an embedded field":                   `{"deep":1}`,
		"nested structs":                      `{"inner":{"max":1},"list":[{"max":1},{"max":2}],"byName":{"a":{"max":1}}}`,
		"map keys that differ in letter case": `{"labels":{"a":"1","A":"2"},"free":{"a":1,"A":2}}`,
		"null inside raw JSON":                `{"raw":{"default":null,"list":[null]}}`,
		"names a struct would refuse, in raw": `{"raw":{"MAX":1,"max":2}}`,
		"one name in several objects":         `{"list":[{"max":1},{"max":1}],"inner":{"max":1}}`,
		"ten MiB of blanks before":            strings.Repeat(" ", 10<<20) + `{"maxPools":3}`,
		"ten MiB of blanks behind":            `{"maxPools":3}` + strings.Repeat("\n", 10<<20),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, strictjson.Decode([]byte(text), &limits{}))
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want error
		path string
	}{
		"nothing":                        {``, strictjson.ErrSyntax, ""},
		"only blanks":                    {"  \n ", strictjson.ErrSyntax, ""},
		"a byte order mark":              {"\ufeff{}", strictjson.ErrSyntax, ""},
		"cut off":                        {`{"maxPools":3`, strictjson.ErrSyntax, ""},
		"a trailing comma":               {`{"maxPools":3,}`, strictjson.ErrSyntax, ""},
		"a trailing comma in a list":     {`{"free":[1,]}`, strictjson.ErrSyntax, "free[1]"},
		"single quotes":                  {`{'maxPools':3}`, strictjson.ErrSyntax, ""},
		"a comment":                      {`{/* */}`, strictjson.ErrSyntax, ""},
		"a leading zero":                 {`{"maxPools":03}`, strictjson.ErrSyntax, ""},
		"no number":                      {`{"maxPools":NaN}`, strictjson.ErrSyntax, "maxPools"},
		"invalid UTF-8":                  {"{\"name\":\"a\xff\"}", strictjson.ErrSyntax, ""},
		"an extra brace":                 {`{}}`, strictjson.ErrTrailing, ""},
		"a second document":              {`{} {}`, strictjson.ErrTrailing, ""},
		"words behind":                   {`{} x`, strictjson.ErrTrailing, ""},
		"words behind null":              {`null x`, strictjson.ErrNotObject, ""},
		"null":                           {`null`, strictjson.ErrNotObject, ""},
		"an array":                       {`[{}]`, strictjson.ErrNotObject, ""},
		"a text":                         {`"maxPools"`, strictjson.ErrNotObject, ""},
		"a number":                       {`3`, strictjson.ErrNotObject, ""},
		"true":                           {`true`, strictjson.ErrNotObject, ""},
		"an unknown field":               {`{"minPools":3}`, strictjson.ErrUnknownField, "minPools"},
		"an unknown field below":         {`{"list":[{},{"min":3}]}`, strictjson.ErrUnknownField, "list[1].min"},
		"an unknown field in a map":      {`{"byName":{"a":{"min":3}}}`, strictjson.ErrUnknownField, "byName.a.min"},
		"a field in other letter case":   {`{"maxpools":3}`, strictjson.ErrUnknownField, "maxpools"},
		"the Go name of a tagged field":  {`{"MaxPools":3}`, strictjson.ErrUnknownField, "MaxPools"},
		"a field hidden from JSON":       {`{"Skipped":3}`, strictjson.ErrUnknownField, "Skipped"},
		"the name of the embedded type":  {`{"embedded":{}}`, strictjson.ErrUnknownField, "embedded"},
		"a field twice":                  {`{"maxPools":3,"maxPools":3}`, strictjson.ErrDuplicateField, "maxPools"},
		"a field twice, escaped":         {`{"maxPools":3,"max\u0050ools":3}`, strictjson.ErrDuplicateField, "maxPools"},
		"a field twice, other case":      {`{"maxPools":3,"MAXPOOLS":3}`, strictjson.ErrDuplicateField, "MAXPOOLS"},
		"a map key twice":                {`{"labels":{"a":"1","a":"1"}}`, strictjson.ErrDuplicateField, "labels.a"},
		"a name twice in raw JSON":       {`{"raw":{"a":[{"b":1,"b":1}]}}`, strictjson.ErrDuplicateField, "raw.a[0].b"},
		"a field set to null":            {`{"maxPools":null}`, strictjson.ErrNull, "maxPools"},
		"a pointer set to null":          {`{"flag":null}`, strictjson.ErrNull, "flag"},
		"null in a free value":           {`{"free":[1,null]}`, strictjson.ErrNull, "free[1]"},
		"a float":                        {`{"maxPools":3.0}`, strictjson.ErrType, "maxPools"},
		"an exponent":                    {`{"maxPools":1e2}`, strictjson.ErrType, "maxPools"},
		"a number as text":               {`{"maxPools":"3"}`, strictjson.ErrType, "maxPools"},
		"a boolean":                      {`{"maxPools":true}`, strictjson.ErrType, "maxPools"},
		"an object for a number":         {`{"maxPools":{}}`, strictjson.ErrType, "maxPools"},
		"a list for a struct":            {`{"inner":[]}`, strictjson.ErrType, "inner"},
		"a negative number":              {`{"maxPools":-1}`, strictjson.ErrType, "maxPools"},
		"minus zero for an unsigned one": {`{"maxPools":-0}`, strictjson.ErrType, "maxPools"},
		"one more than fits":             {`{"maxPools":4294967296}`, strictjson.ErrType, "maxPools"},
		"a huge number":                  {`{"maxPools":1e400}`, strictjson.ErrType, "maxPools"},
		"a wrong type below":             {`{"inner":{"max":"x"}}`, strictjson.ErrType, "inner.max"},
		"levels without end":             {`{"free":` + strings.Repeat("[", 100_000), strictjson.ErrDepth, ""},
		"objects without end":            {strings.Repeat(`{"free":`, 100_000), strictjson.ErrDepth, ""},
		"ten MiB of brackets":            {`{"raw":` + strings.Repeat("[", 10<<20), strictjson.ErrDepth, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := strictjson.Decode([]byte(row.text), &limits{})
			require.ErrorIs(t, err, row.want)
			var where *strictjson.DecodeError
			require.ErrorAs(t, err, &where)
			if row.want != strictjson.ErrDepth {
				require.Equal(t, row.path, where.Path)
			}
			require.LessOrEqual(t, where.Offset, int64(len(row.text)))
			require.Less(t, len(err.Error()), 600, "an error is read by people")
		})
	}
}

func TestErrorsGiveTheByteOffset(t *testing.T) {
	for text, want := range map[string]int64{
		`{"name":"a","x":1}`:       int64(len(`{"name":"a","x"`)),
		`{"name":"a"} !`:           int64(len(`{"name":"a"} !`)),
		`{"name":"a",}`:            int64(len(`{"name":"a",}`)),
		`{"name":"a","shift":"x"}`: int64(len(`{"name":"a","shift":"x"`)),
		`{"name":"a"`:              int64(len(`{"name":"a"`)),
		"{\"name\":\"ab\xff\"}":    int64(len(`{"name":"ab`)),
	} {
		var where *strictjson.DecodeError
		require.ErrorAs(t, strictjson.Decode([]byte(text), &limits{}), &where, text)
		require.Equal(t, want, where.Offset, text)
	}
}

func TestDepthIsBounded(t *testing.T) {
	nested := func(levels int) []byte {
		return []byte(`{"free":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + "}")
	}
	require.NoError(t, strictjson.Decode(nested(strictjson.MaxDepth), &limits{}))
	require.ErrorIs(t, strictjson.Decode(nested(strictjson.MaxDepth+1), &limits{}), strictjson.ErrDepth)
}

func TestDefaultsSurvive(t *testing.T) {
	got := limits{MaxPools: 7, Name: "default"}
	require.NoError(t, strictjson.Decode([]byte(`{"name":"set"}`), &got))
	require.Equal(t, limits{MaxPools: 7, Name: "set"}, got)
}

func TestAllowNull(t *testing.T) {
	got := limits{MaxPools: 7}
	text := []byte(`{"maxPools":null,"flag":null,"list":[null]}`)
	require.NoError(t, strictjson.Decode(text, &got, strictjson.AllowNull()))
	require.Equal(t, limits{MaxPools: 7, List: []inner{{}}}, got)

	require.NoError(t, strictjson.Decode([]byte(`null`), &got, strictjson.AllowNull()))
	require.Equal(t, uint32(7), got.MaxPools)

	require.ErrorIs(t, strictjson.Decode([]byte(`null null`), &got, strictjson.AllowNull()), strictjson.ErrTrailing)
	require.ErrorIs(t, strictjson.Decode([]byte(`[]`), &got, strictjson.AllowNull()), strictjson.ErrNotObject)
}

func TestDestinations(t *testing.T) {
	var free any
	require.NoError(t, strictjson.Decode([]byte(`{"a":[1]}`), &free))
	require.Equal(t, map[string]any{"a": []any{1.0}}, free)

	var byName map[string]int
	require.NoError(t, strictjson.Decode([]byte(`{"a":1}`), &byName))
	require.Equal(t, map[string]int{"a": 1}, byName)

	var raw json.RawMessage
	require.NoError(t, strictjson.Decode([]byte(`{"a":null}`), &raw))
	require.JSONEq(t, `{"a":null}`, string(raw))

	var unusable *json.InvalidUnmarshalError
	for _, dst := range []any{nil, limits{}, (*limits)(nil)} {
		require.ErrorAs(t, strictjson.Decode([]byte(`{}`), dst), &unusable)
	}
}

var errPicky = errors.New("picky")

type picky struct{}

func (*picky) UnmarshalJSON([]byte) error { return errPicky }

func TestAnUnmarshalersErrorIsKept(t *testing.T) {
	var dst struct{ Picky picky }
	require.ErrorIs(t, strictjson.Decode([]byte(`{"Picky":1}`), &dst), errPicky)
}

func TestCheckObject(t *testing.T) {
	require.NoError(t, strictjson.CheckObject([]byte(`{"a":null,"A":[{"a":1}]}`)))
	require.ErrorIs(t, strictjson.CheckObject([]byte(`{"a":1,"a":1}`)), strictjson.ErrDuplicateField)
	require.ErrorIs(t, strictjson.CheckObject([]byte(`null`)), strictjson.ErrNotObject)
	require.ErrorIs(t, strictjson.CheckObject([]byte(`{} {}`)), strictjson.ErrTrailing)
}

// What encoding/json writes, Decode reads back unchanged; one more member of any kind is refused.
func TestDecodeReadsWhatMarshalWrites(t *testing.T) {
	type config struct {
		A uint64             `json:"a"`
		B []string           `json:"b"`
		C map[string]int64   `json:"c"`
		D struct{ E, F int } `json:"d"`
	}
	rapid.Check(t, func(t *rapid.T) {
		want := config{
			A: rapid.Uint64().Draw(t, "a"),
			B: rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "b"),
			C: rapid.MapOfN(rapid.String(), rapid.Int64(), 0, 4).Draw(t, "c"),
		}
		want.D.E = rapid.Int().Draw(t, "e")
		text, err := json.Marshal(want)
		require.NoError(t, err)

		var got config
		require.NoError(t, strictjson.Decode(text, &got))
		require.Equal(t, want, got)

		name := rapid.StringMatching(`[a-eA-E]`).Draw(t, "name")
		more := append(bytes.TrimSuffix(text, []byte("}")), `,"`+name+`":0}`...)
		require.Error(t, strictjson.Decode(more, &got))
	})
}

// Whatever Decode accepts, encoding/json accepts too and with the same result.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"maxPools":3,"inner":{"max":1},"list":[{}],"raw":{"a":null},"free":[1e3,"x"]}`))
	f.Add([]byte(`{"maxPools":3,"MAXPOOLS":4}`))
	f.Add([]byte("{}\n{}"))
	f.Add([]byte(`{"byName":{"a":{"max":1},"a":{}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var strict, loose limits
		if strictjson.Decode(text, &strict) != nil {
			return
		}
		require.NoError(t, json.Unmarshal(text, &loose))
		require.Equal(t, loose, strict)
	})
}
