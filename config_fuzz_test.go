package pool_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/require"
)

var (
	jsonText     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	plainInteger = regexp.MustCompile(`^[1-9][0-9]{0,9}$`)
)

// modelConfig is what README's "Limits" says about a configuration, over an ordinary decoder that forgives everything: nil is
// a refusal.
func modelConfig(text []byte) *service.Limits {
	limits := new(service.Limits)
	if len(text) == 0 {
		return limits
	}
	var document map[string]json.RawMessage
	if len(text) > 64<<10 || json.Unmarshal(text, &document) != nil || document == nil {
		return nil
	}
	// Of a name that is there twice the map has one. No value may have a colon in it, but within a text.
	if bytes.Count(jsonText.ReplaceAll(text, nil), []byte(":")) != len(document) {
		return nil
	}
	for name, value := range document {
		field, most := modelField(limits, name)
		number, err := strconv.ParseUint(string(value), 10, 64)
		if field == nil || !plainInteger.Match(value) || err != nil || number > most {
			return nil
		}
		*field = uint32(number)
	}
	perPool, total := limits.MaxWorkersPerPool, limits.MaxTotalWorkers
	if perPool == 0 {
		perPool = pool.DefaultMaxWorkersPerPool
	}
	if total == 0 {
		total = pool.DefaultMaxTotalWorkers
	}
	if perPool > total {
		return nil
	}
	return limits
}

func modelField(limits *service.Limits, name string) (*uint32, uint64) {
	switch name {
	case "maxPools":
		return &limits.MaxPools, 65_536
	case "maxWorkersPerPool":
		return &limits.MaxWorkersPerPool, 65_536
	case "maxTotalWorkers":
		return &limits.MaxTotalWorkers, 1_048_576
	case "runnableWorkers":
		return &limits.RunnableWorkers, 1_048_576
	}
	return nil, 0
}

// FuzzConfiguration holds the decoder against the model: they accept the same texts, and understand the same by them. A
// refusal says where.
func FuzzConfiguration(f *testing.F) {
	for _, text := range accepted {
		f.Add([]byte(text))
	}
	for _, row := range refused {
		if len(row.text) < 1<<10 {
			f.Add([]byte(row.text))
		}
	}
	for _, text := range []string{
		"\ufeff{}", "\v{}", "{}\n\n", "{,}", `{"maxPools":1 "runnableWorkers":1}`, `{"maxPools":1,,"runnableWorkers":1}`,
		`{"maxPools":1:2}`, `{"maxPools":{"a":1,"a":2}}`, `{"a:b":1}`, `{"\"":1}`, "{\"max\x00Pools\":1}", "{\"\xff\":1}",
		`{"maxPools":65536,"maxWorkersPerPool":65536,"maxTotalWorkers":1048576,"runnableWorkers":1048576}`,
		`{"runnableWorkers":1048577}`, `{"maxTotalWorkers":64}`, `{"maxTotalWorkers":63}`, `{"maxPools":[}`, ",", `{"maxPools":NaN}`,
	} {
		f.Add([]byte(text))
	}
	validate := pool.Provider().ValidateConfig
	f.Fuzz(func(t *testing.T, text []byte) {
		want := modelConfig(text)
		got, err := pool.ConfiguredLimits(text)
		require.Equal(t, want != nil, err == nil, "%q: %v", text, err)
		require.Equal(t, err, validate(text))
		if want != nil {
			require.Equal(t, *want, got)
			return
		}
		var where *pool.ConfigError
		require.ErrorAs(t, err, &where)
		require.ErrorIs(t, err, pool.ErrInvalidConfig)
		require.GreaterOrEqual(t, where.Offset, int64(0), err)
		require.LessOrEqual(t, where.Offset, int64(len(text)), err)
	})
}
