package workers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// The fields of the configuration and their largest values.
const (
	fieldLiveWorkers = "maxLiveWorkers"
	fieldQueueBytes  = "maxQueueBytes"

	maxConfigLiveWorkers = 65_536
	maxConfigQueueBytes  = 64 << 30
)

// configSchema says what decodeLimits accepts; a test holds the two together.
const configSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "maxLiveWorkers": {"type": "integer", "minimum": 1, "maximum": 65536, "default": 64},
    "maxQueueBytes": {"type": "integer", "minimum": 1, "maximum": 68719476736, "default": 67108864}
  }
}`

func validateConfig(raw json.RawMessage) error {
	_, err := decodeLimits(raw)
	return err
}

// decodeLimits reads the plugin's configuration. No bytes at all mean {}; fields that are left out take their defaults.
func decodeLimits(raw json.RawMessage) (WorkerLimits, error) {
	limits := WorkerLimits{}.normalize()
	if len(raw) == 0 {
		return limits, nil
	}
	if !json.Valid(raw) || bytes.TrimLeft(raw, " \t\r\n")[0] != '{' {
		return WorkerLimits{}, fmt.Errorf("%w: not one JSON object", ErrInvalidConfig)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	seen := map[string]bool{}
	_, _ = decoder.Token() // the opening brace
	for decoder.More() {
		key, _ := decoder.Token() // a string: the bytes are valid JSON
		name := key.(string)
		if seen[name] {
			return WorkerLimits{}, fmt.Errorf("%w: field %q is given twice", ErrInvalidConfig, name)
		}
		seen[name] = true
		if err := decodeField(decoder, name, &limits); err != nil {
			return WorkerLimits{}, err
		}
	}
	return limits, nil
}

func decodeField(decoder *json.Decoder, name string, limits *WorkerLimits) error {
	var most uint64
	switch name {
	case fieldLiveWorkers:
		most = maxConfigLiveWorkers
	case fieldQueueBytes:
		most = maxConfigQueueBytes
	default:
		return fmt.Errorf("%w: field %q is unknown", ErrInvalidConfig, name)
	}
	value, _ := decoder.Token()
	number, _ := value.(json.Number)
	n, err := strconv.ParseUint(number.String(), 10, 64)
	if err != nil || n == 0 || n > most {
		return fmt.Errorf("%w: field %q is %v, must be an integer from 1 to %d", ErrInvalidConfig, name, value, most)
	}
	if name == fieldLiveWorkers {
		limits.MaxLiveWorkers = uint32(n)
	} else {
		limits.MaxQueueBytes = n
	}
	return nil
}
