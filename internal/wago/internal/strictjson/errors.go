package strictjson

import "fmt"

// Error is the type of this package's error constants.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

const (
	// ErrSyntax: not JSON, not UTF-8, or cut off.
	ErrSyntax Error = "invalid JSON"
	// ErrTrailing: something follows the value.
	ErrTrailing Error = "text after the JSON value"
	// ErrNotObject: valid JSON, but not an object.
	ErrNotObject Error = "not a JSON object"
	// ErrUnknownField: a name that no field has, letter for letter.
	ErrUnknownField Error = "unknown field"
	// ErrDuplicateField: a name occurs twice in one object.
	ErrDuplicateField Error = "duplicate field"
	// ErrNull: null where a value is needed.
	ErrNull Error = "null is not a value here"
	// ErrType: a value that doesn't fit the field's type or its range.
	ErrType Error = "wrong type"
	// ErrDepth: more than MaxDepth levels.
	ErrDepth Error = "nested too deeply"
)

// DecodeError says where and why a text was refused. Immutable after it is returned, so safe for concurrent use.
type DecodeError struct {
	Path   string // of the field, for example "limits.hosts[2]"; empty for the value as a whole
	Offset int64  // bytes read up to and including the offending token
	Err    error  // wraps one of the constants, or is what a type's own UnmarshalJSON returned
}

// Error names the field, if there is one, and the offset.
func (e *DecodeError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%v (byte offset %d)", e.Err, e.Offset)
	}
	return fmt.Sprintf("%s: %v (byte offset %d)", e.Path, e.Err, e.Offset)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }
