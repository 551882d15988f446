package workers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/workers"
)

func TestConfigurationIsStrict(t *testing.T) {
	for name, c := range map[string]struct{ config, names string }{
		"null":            {`null`, "object"},
		"number":          {`7`, "object"},
		"text":            {`"maxLiveWorkers"`, "object"},
		"array":           {`[{"maxLiveWorkers": 1}]`, "object"},
		"blanks":          {"  ", "object"},
		"broken":          {`{"maxLiveWorkers": 1`, "object"},
		"trailing comma":  {`{"maxLiveWorkers": 1,}`, "object"},
		"trailing object": {`{} {}`, "object"},
		"trailing text":   {`{}x`, "object"},
		"unknown field":   {`{"workers": 1}`, "workers"},
		"another case":    {`{"MaxLiveWorkers": 1}`, "MaxLiveWorkers"},
		"given twice":     {`{"maxLiveWorkers": 1, "maxQueueBytes": 1, "maxLiveWorkers": 1}`, "maxLiveWorkers"},
		"null field":      {`{"maxQueueBytes": null}`, "maxQueueBytes"},
		"zero":            {`{"maxLiveWorkers": 0}`, "maxLiveWorkers"},
		"negative":        {`{"maxLiveWorkers": -1}`, "maxLiveWorkers"},
		"fraction":        {`{"maxLiveWorkers": 1.5}`, "maxLiveWorkers"},
		"float":           {`{"maxLiveWorkers": 1.0}`, "maxLiveWorkers"},
		"exponent":        {`{"maxLiveWorkers": 1e3}`, "maxLiveWorkers"},
		"quoted":          {`{"maxLiveWorkers": "1"}`, "maxLiveWorkers"},
		"object field":    {`{"maxLiveWorkers": {"maxQueueBytes": 1}}`, "maxLiveWorkers"},
		"too many":        {`{"maxLiveWorkers": 65537}`, "maxLiveWorkers"},
		"too large":       {`{"maxQueueBytes": 68719476737}`, "maxQueueBytes"},
		"huge":            {`{"maxQueueBytes": 99999999999999999999999}`, "maxQueueBytes"},
	} {
		t.Run(name, func(t *testing.T) {
			err := workers.Provider().ValidateConfig(json.RawMessage(c.config))
			require.ErrorIs(t, err, workers.ErrInvalidConfig)
			require.ErrorContains(t, err, c.names)
		})
	}
}

func TestConfigurationFillsInDefaults(t *testing.T) {
	for config, want := range map[string]workers.WorkerLimits{
		``:                        {MaxLiveWorkers: 64, MaxQueueBytes: 64 << 20},
		`{}`:                      {MaxLiveWorkers: 64, MaxQueueBytes: 64 << 20},
		` {"maxLiveWorkers": 1} `: {MaxLiveWorkers: 1, MaxQueueBytes: 64 << 20},
		`{"maxQueueBytes":1}`:     {MaxLiveWorkers: 64, MaxQueueBytes: 1},
		`{"maxQueueBytes":68719476736,"maxLiveWorkers":65536}`: {MaxLiveWorkers: 65_536, MaxQueueBytes: 64 << 30},
	} {
		limits, err := workers.DecodeLimits(json.RawMessage(config))
		require.NoError(t, err, config)
		require.Equal(t, want, limits, config)
	}
}

// The schema can't be run here, so its bounds are held against the decoder's behaviour at and beyond them.
func TestSchemaSaysWhatTheDecoderDoes(t *testing.T) {
	var schema struct {
		Type                 string
		AdditionalProperties *bool
		Properties           map[string]struct {
			Type                      string
			Minimum, Maximum, Default uint64
		}
	}
	require.NoError(t, json.Unmarshal(workers.Definition().ConfigSchema, &schema))
	require.Equal(t, "object", schema.Type)
	require.False(t, *schema.AdditionalProperties)
	require.Len(t, schema.Properties, 2)
	defaults, err := workers.DecodeLimits(nil)
	require.NoError(t, err)
	require.EqualValues(t, defaults.MaxLiveWorkers, schema.Properties["maxLiveWorkers"].Default)
	require.Equal(t, defaults.MaxQueueBytes, schema.Properties["maxQueueBytes"].Default)
	for name, property := range schema.Properties {
		require.Equal(t, "integer", property.Type)
		for value, fine := range map[uint64]bool{
			property.Minimum - 1: false, property.Minimum: true, property.Maximum: true, property.Maximum + 1: false,
		} {
			_, err := workers.DecodeLimits(json.RawMessage(fmt.Sprintf(`{%q: %d}`, name, value)))
			require.Equal(t, fine, err == nil, "%s %d: %v", name, value, err)
		}
	}
}

// modelLimits is what the schema says of a configuration, over an ordinary decoder that forgives everything: nil is a refusal.
func modelLimits(text []byte) *workers.WorkerLimits {
	limits := &workers.WorkerLimits{MaxLiveWorkers: 64, MaxQueueBytes: 64 << 20}
	if len(text) == 0 {
		return limits
	}
	var document map[string]json.RawMessage
	if json.Unmarshal(text, &document) != nil || document == nil {
		return nil
	}
	// Of a name that is there twice the map has one. No value may have a colon in it, but within a text.
	if bytes.Count(quoted.ReplaceAll(text, nil), []byte(":")) != len(document) {
		return nil
	}
	for name, value := range document {
		n, err := strconv.ParseUint(string(value), 10, 64)
		switch {
		case err != nil || !plain.Match(value):
			return nil
		case name == "maxLiveWorkers" && n <= 65_536:
			limits.MaxLiveWorkers = uint32(n)
		case name == "maxQueueBytes" && n <= 64<<30:
			limits.MaxQueueBytes = n
		default:
			return nil
		}
	}
	return limits
}

var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	plain  = regexp.MustCompile(`^[1-9][0-9]*$`)
)

// FuzzConfiguration holds the decoder against the model: they accept the same texts, and understand the same by them.
func FuzzConfiguration(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"maxLiveWorkers":1,"maxQueueBytes":2}`, ` {"maxQueueBytes" : 68719476736 } `, `{"maxLiveWorkers":65537}`,
		`{"maxLiveWorkers":1,"maxLiveWorkers":1}`, `{"\u006daxLiveWorkers":1}`, `{"MaxLiveWorkers":1}`, `{"maxLiveWorkers":1.0}`,
		`{"maxLiveWorkers":-0}`, `{"maxLiveWorkers":0}`, `{"maxLiveWorkers":"1"}`, `{"maxLiveWorkers":null}`, `{"maxLiveWorkers":{"x":[1]}}`, `{"a":[{}]}`,
		`[`, `null`, `{} {}`, "{}\x00", "\ufeff{}", `{"a:":1}`, `{"maxLiveWorkers":1,}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		limits, err := workers.DecodeLimits(text)
		want := modelLimits(text)
		if want == nil {
			require.ErrorIs(t, err, workers.ErrInvalidConfig, "%q", text)
			return
		}
		require.NoError(t, err, "%q", text)
		require.Equal(t, *want, limits)
	})
}
