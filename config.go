package pool

import (
	"encoding/json"

	"github.com/JairusSW/pool/service"
)

// config is the plugin's configuration; fields that were not given are nil.
type config struct {
	maxPools, maxWorkersPerPool, maxTotalWorkers, runnableWorkers *uint32
}

// setting is one field of the configuration: an integer from 1 to most.
type setting struct {
	name string
	most uint32
	into func(*config) **uint32
}

var settings = []setting{
	{"maxPools", 65_536, func(c *config) **uint32 { return &c.maxPools }},
	{"maxWorkersPerPool", 65_536, func(c *config) **uint32 { return &c.maxWorkersPerPool }},
	{"maxTotalWorkers", 1_048_576, func(c *config) **uint32 { return &c.maxTotalWorkers }},
	{"runnableWorkers", 1_048_576, func(c *config) **uint32 { return &c.runnableWorkers }},
}

// configSchema says to people and tools what the decoder checks, as far as a schema can: it has no words for a field given
// twice, for numbers written as 3.0 or 1e2, nor for maxWorkersPerPool being at most maxTotalWorkers.
const configSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"additionalProperties": false,
	"properties": {
		"maxPools": {"type": "integer", "minimum": 1, "maximum": 65536, "default": 64},
		"maxWorkersPerPool": {"type": "integer", "minimum": 1, "maximum": 65536, "default": 64},
		"maxTotalWorkers": {"type": "integer", "minimum": 1, "maximum": 1048576, "default": 256},
		"runnableWorkers": {"type": "integer", "minimum": 1, "maximum": 1048576}
	}
}`

func validateConfig(raw json.RawMessage) error {
	_, err := decodeConfig(raw)
	return err
}

// check holds the ceiling of a pool against that of all pools, defaults included.
func (c config) check() error {
	perPool := given(c.maxWorkersPerPool, service.DefaultMaxWorkersPerPool)
	total := given(c.maxTotalWorkers, service.DefaultMaxTotalWorkers)
	if perPool > total {
		return configError("maxWorkersPerPool", 0, "%d is above maxTotalWorkers %d", perPool, total)
	}
	return nil
}

// limits are the service's: zero is its default.
func (c config) limits() service.Limits {
	return service.Limits{
		MaxPools:          given(c.maxPools, 0),
		MaxWorkersPerPool: given(c.maxWorkersPerPool, 0),
		MaxTotalWorkers:   given(c.maxTotalWorkers, 0),
		RunnableWorkers:   given(c.runnableWorkers, 0),
	}
}

func given(value *uint32, absent uint32) uint32 {
	if value == nil {
		return absent
	}
	return *value
}
