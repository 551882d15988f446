package pool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/JairusSW/pool/service"
)

// ErrInvalidConfig: the plugin's JSON configuration is not what its schema allows. It wraps what is wrong, with the field's
// name or the offset in bytes.
const ErrInvalidConfig = service.Error("pool: invalid configuration")

// config is the plugin's configuration. Absent fields have the service's defaults.
type config struct {
	MaxPools          *uint32 `json:"maxPools"`
	MaxWorkersPerPool *uint32 `json:"maxWorkersPerPool"`
	MaxTotalWorkers   *uint32 `json:"maxTotalWorkers"`
	RunnableWorkers   *uint32 `json:"runnableWorkers"`
}

// setting is one field of the configuration: the decoder and the schema are both made of these.
type setting struct {
	name string
	most uint32
	into func(*config) **uint32
}

var settings = []setting{
	{"maxPools", 65_536, func(c *config) **uint32 { return &c.MaxPools }},
	{"maxWorkersPerPool", 65_536, func(c *config) **uint32 { return &c.MaxWorkersPerPool }},
	{"maxTotalWorkers", 1_048_576, func(c *config) **uint32 { return &c.MaxTotalWorkers }},
	{"runnableWorkers", 1_048_576, func(c *config) **uint32 { return &c.RunnableWorkers }},
}

// configSchema says to people and tools what validateConfig checks.
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

// maxConfigBytes bounds what is looked at: the four numbers take far less.
const maxConfigBytes = 64 << 10

// validateConfig refuses every configuration that is not one object of known fields, each once, each an integer within its
// bounds. Nothing at all, nil or of no length, is the default configuration.
func validateConfig(raw json.RawMessage) error {
	_, err := decodeConfig(raw)
	return err
}

func decodeConfig(raw json.RawMessage) (config, error) {
	var c config
	if len(raw) == 0 {
		return c, nil
	}
	if len(raw) > maxConfigBytes {
		return c, fmt.Errorf("%w: %d bytes, at most %d are read", ErrInvalidConfig, len(raw), maxConfigBytes)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := c.decode(decoder); err != nil {
		return config{}, fmt.Errorf("%w: at byte %d: %w", ErrInvalidConfig, decoder.InputOffset(), err)
	}
	return c, c.check()
}

func (c *config) decode(decoder *json.Decoder) error {
	if token, err := decoder.Token(); err != nil {
		return err
	} else if token != json.Delim('{') {
		return errors.New("not an object")
	}
	for decoder.More() {
		if err := c.field(decoder); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("text after the object")
	}
	return nil
}

// field reads one name and its value.
func (c *config) field(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	name, _ := token.(string)
	for _, s := range settings {
		if strings.EqualFold(s.name, name) {
			return s.read(c, name, decoder)
		}
	}
	return fmt.Errorf("unknown field %q", name)
}

func (s setting) read(c *config, name string, decoder *json.Decoder) error {
	into := s.into(c)
	switch {
	case *into != nil:
		return fmt.Errorf("field %q is given twice", name)
	case name != s.name:
		return fmt.Errorf("unknown field %q: it is written %q", name, s.name)
	}
	token, err := decoder.Token()
	if err != nil {
		return fmt.Errorf("field %q: %w", name, err)
	}
	number, ok := token.(json.Number)
	if !ok {
		return fmt.Errorf("field %q is not an integer", name)
	}
	value, err := strconv.ParseUint(number.String(), 10, 32)
	if err != nil || value < 1 || value > uint64(s.most) {
		return fmt.Errorf("field %q is %s, not an integer from 1 to %d", name, number, s.most)
	}
	number32 := uint32(value)
	*into = &number32
	return nil
}

// check holds the per-pool ceiling against the total, defaults included.
func (c config) check() error {
	perPool, total := service.DefaultMaxWorkersPerPool, service.DefaultMaxTotalWorkers
	if c.MaxWorkersPerPool != nil {
		perPool = *c.MaxWorkersPerPool
	}
	if c.MaxTotalWorkers != nil {
		total = *c.MaxTotalWorkers
	}
	if perPool > total {
		return fmt.Errorf("%w: maxWorkersPerPool %d is above maxTotalWorkers %d", ErrInvalidConfig, perPool, total)
	}
	return nil
}

// limits are the service's; zero is its default.
func (c config) limits() service.Limits {
	value := func(v *uint32) uint32 {
		if v == nil {
			return 0
		}
		return *v
	}
	return service.Limits{
		MaxPools: value(c.MaxPools), MaxWorkersPerPool: value(c.MaxWorkersPerPool),
		MaxTotalWorkers: value(c.MaxTotalWorkers), RunnableWorkers: value(c.RunnableWorkers),
	}
}
