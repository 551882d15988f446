package pool

import (
	"fmt"

	"github.com/JairusSW/pool/service"
)

// ErrInvalidConfig: the plugin's JSON configuration is not what its schema allows; wrapped in a *ConfigError. Nothing was
// activated: correct the configuration.
const ErrInvalidConfig = service.Error("pool: invalid configuration")

// ConfigError says where a configuration is wrong, and how. It wraps ErrInvalidConfig and Err.
//
// Immutable once returned, so safe for concurrent use.
type ConfigError struct {
	Field  string // as it was written, for example "maxPools"; empty when no field is at fault
	Offset int64  // how far the text was read (bytes); 0 when it is well-formed and what it says does not fit together
	Err    error  // what is wrong
}

func configError(field string, offset int64, format string, args ...any) error {
	return &ConfigError{Field: field, Offset: offset, Err: fmt.Errorf(format, args...)}
}

// Error names the field, if there is one, and the offset.
func (e *ConfigError) Error() string {
	text := string(ErrInvalidConfig)
	if e.Field != "" {
		text += fmt.Sprintf(": field %q", e.Field)
	}
	if e.Offset != 0 || e.Field == "" {
		text += fmt.Sprintf(": at byte %d", e.Offset)
	}
	return text + ": " + e.Err.Error()
}

// Unwrap returns ErrInvalidConfig and what is wrong.
func (e *ConfigError) Unwrap() []error { return []error{ErrInvalidConfig, e.Err} }
