package pool_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// schema is as much of JSON Schema as the definition's ConfigSchema may use: a keyword that is not here fails the test.
type schema struct {
	Schema               string                  `json:"$schema"`
	Type                 string                  `json:"type"`
	AdditionalProperties *bool                   `json:"additionalProperties"`
	Required             []string                `json:"required"`
	Properties           map[string]schemaNumber `json:"properties"`
}

type schemaNumber struct {
	Type             string  `json:"type"`
	Minimum, Maximum *int64  `json:",omitempty"`
	Default          *uint32 `json:"default"`
}

func readSchema(t testing.TB) (s schema) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(pool.Definition().ConfigSchema))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&s))
	return s
}

func TestTheSchemaNamesEveryFieldAndBound(t *testing.T) {
	s := readSchema(t)
	assert.Equal(t, "https://json-schema.org/draft/2020-12/schema", s.Schema)
	assert.Equal(t, "object", s.Type)
	require.NotNil(t, s.AdditionalProperties)
	assert.False(t, *s.AdditionalProperties)
	assert.Empty(t, s.Required, "every field has a default")
	assert.ElementsMatch(t, []string{"maxPools", "maxWorkersPerPool", "maxTotalWorkers", "runnableWorkers"}, fields(s))
	for name, number := range s.Properties {
		assert.Equal(t, "integer", number.Type, name)
		require.NotNil(t, number.Minimum, name)
		require.NotNil(t, number.Maximum, name)
	}
}

func TestTheSchemasDefaultsAreTheServices(t *testing.T) {
	s := readSchema(t)
	for name, want := range map[string]uint32{
		"maxPools":          pool.DefaultMaxPools,
		"maxWorkersPerPool": pool.DefaultMaxWorkersPerPool,
		"maxTotalWorkers":   pool.DefaultMaxTotalWorkers,
	} {
		require.NotNil(t, s.Properties[name].Default, name)
		assert.Equal(t, want, *s.Properties[name].Default, name)
	}
	assert.Nil(t, s.Properties["runnableWorkers"].Default, "it depends on the machine")
}

func TestTheDecoderHoldsToTheSchemasBounds(t *testing.T) {
	for name, number := range readSchema(t).Properties {
		for value, want := range map[int64]bool{
			*number.Minimum - 1: false, *number.Minimum: true, *number.Maximum: true, *number.Maximum + 1: false,
		} {
			text := fmt.Sprintf(`{"maxTotalWorkers":1048576,%q:%d}`, name, value)
			if name == "maxTotalWorkers" {
				text = fmt.Sprintf(`{"maxWorkersPerPool":1,%q:%d}`, name, value)
			}
			err := pool.Provider().ValidateConfig(json.RawMessage(text))
			assert.Equal(t, want, err == nil, "%s: %v", text, err)
		}
	}
}

// Whatever the document, schema and decoder agree, but for what a schema has no words for.
func TestTheDecoderAndTheSchemaAgree(t *testing.T) {
	s := readSchema(t)
	names := append(fields(s), "maxpools", "MaxPools", "max_pools", "limit", "", "$schema")
	rapid.Check(t, func(t *rapid.T) {
		document := make(map[string]json.RawMessage)
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID[string]).Draw(t, "names") {
			document[name] = json.RawMessage(values(s, name).Draw(t, "value"))
		}
		text, err := json.Marshal(document)
		require.NoError(t, err)
		want := s.accepts(document) && perPoolFits(document)
		err = pool.Provider().ValidateConfig(text)
		require.Equal(t, want, err == nil, "%s: %v", text, err)
	})
}

// values draws good values and near misses.
func values(s schema, name string) *rapid.Generator[string] {
	most := int64(65_536)
	if number, ok := s.Properties[name]; ok {
		most = *number.Maximum
	}
	edges := rapid.SampledFrom([]int64{-1, 0, 1, 2, most - 1, most, most + 1, 1 << 32, 1<<53 + 1, -1 << 63})
	return rapid.OneOf(
		rapid.Map(rapid.Int64Range(1, most), func(v int64) string { return fmt.Sprint(v) }),
		rapid.Map(rapid.OneOf(edges, rapid.Int64()), func(v int64) string { return fmt.Sprint(v) }),
		rapid.SampledFrom([]string{"1.5", `"1"`, "null", "true", "[]", "{}", "[1]", `{"a":1}`, "-0.5", "1e-1"}),
	)
}

func (s schema) accepts(document map[string]json.RawMessage) bool {
	for name, value := range document {
		number, known := s.Properties[name]
		if !known || !number.accepts(value) {
			return false
		}
	}
	return true
}

func (n schemaNumber) accepts(value json.RawMessage) bool {
	v, ok := new(big.Rat).SetString(string(value))
	return ok && v.IsInt() && v.Cmp(big.NewRat(*n.Minimum, 1)) >= 0 && v.Cmp(big.NewRat(*n.Maximum, 1)) <= 0
}

// perPoolFits is the rule that spans two fields.
func perPoolFits(document map[string]json.RawMessage) bool {
	perPool, total := pool.DefaultMaxWorkersPerPool, pool.DefaultMaxTotalWorkers
	for name, into := range map[string]*uint32{"maxWorkersPerPool": &perPool, "maxTotalWorkers": &total} {
		if value, ok := document[name]; ok && json.Unmarshal(value, into) != nil {
			return false
		}
	}
	return perPool <= total
}

func fields(s schema) []string { return slices.Sorted(maps.Keys(s.Properties)) }
