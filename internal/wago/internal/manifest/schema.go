package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/wago-org/wago/internal/strictjson"
)

// schemaDialect is the one "$schema" a configuration schema may name.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// checkSchema looks at what the host relies on: that a schema describes a closed object. The rest of it is never enforced.
func checkSchema(d *PluginDefinition) error {
	const path = "configSchema"
	if len(d.ConfigSchema) == 0 {
		return nil
	}
	if len(d.ConfigSchema) > maxSchemaLength {
		return broken(path, "%d bytes, at most %d are allowed", len(d.ConfigSchema), maxSchemaLength)
	}
	// A name that occurs twice would make the canonical form a matter of taste.
	if err := strictjson.CheckObject(d.ConfigSchema); err != nil {
		return broken(path, "%w", err)
	}
	schema, err := decodeSchema(d.ConfigSchema)
	if err != nil {
		return broken(path, "%w", err)
	}
	if err := checkClosed(schema); err != nil {
		return err
	}
	// Escapes may make the canonical form longer; it has to be valid, too.
	canonical, err := json.Marshal(schema)
	if err == nil && len(canonical) > maxSchemaLength {
		err = fmt.Errorf("%d bytes in canonical form, at most %d are allowed", len(canonical), maxSchemaLength)
	}
	return at(path, err)
}

// checkClosed makes sure that a schema describes an object without further members.
func checkClosed(schema map[string]any) error {
	if schema["type"] != "object" {
		return broken("configSchema.type", `not "object"`)
	}
	if schema["additionalProperties"] != false {
		return broken("configSchema.additionalProperties", "not false")
	}
	if dialect, given := schema["$schema"]; given && dialect != schemaDialect {
		return broken("configSchema.$schema", "not %q", schemaDialect)
	}
	return nil
}

// canonicalSchema writes a schema with sorted names, without blanks, and with numbers as they stand.
func canonicalSchema(text json.RawMessage) (json.RawMessage, error) {
	if len(text) == 0 {
		return nil, nil
	}
	schema, err := decodeSchema(text)
	if err != nil {
		return nil, err
	}
	return json.Marshal(schema)
}

// decodeSchema keeps numbers as text: no schema may become another one, or invalid, by being rounded.
func decodeSchema(text json.RawMessage) (schema map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&schema)
	return schema, err
}
