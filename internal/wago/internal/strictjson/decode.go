package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"
)

// MaxDepth is how many objects and arrays may stand inside each other, the outermost included.
const MaxDepth = 1000

// Option loosens one rule of [Decode].
type Option func(*options)

type options struct{ allowNull bool }

// AllowNull accepts null with the meaning of encoding/json: pointers, maps, slices and interfaces become nil, everything else
// stays as it is. A null instead of the object is accepted, too, and changes nothing.
func AllowNull() Option { return func(o *options) { o.allowNull = true } }

// Decode reads the one JSON object in data into dst, a non-nil pointer, by the rules in the package's documentation. Fields
// that don't occur keep their value, so dst may hold defaults. On an error dst may be partly written. Errors are
// [*DecodeError], except for a dst that is no non-nil pointer, which gives a [*json.InvalidUnmarshalError].
//
// Safe for concurrent use with different dst.
func Decode(data []byte, dst any, opts ...Option) error {
	value := reflect.ValueOf(dst)
	if value.Kind() != reflect.Pointer || value.IsNil() {
		return &json.InvalidUnmarshalError{Type: reflect.TypeOf(dst)}
	}
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	if err := check(data, targetOf(value.Type().Elem()), o); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return explain(decoder.Decode(dst), decoder.InputOffset())
}

// CheckObject reports whether data is exactly one JSON object without repeated names (letter case matters) and at most
// MaxDepth levels deep; null members are accepted. Errors are [*DecodeError].
//
// Safe for concurrent use.
func CheckObject(data []byte) error { return check(data, target{opaque: true}, options{}) }

func check(data []byte, root target, o options) error {
	if !utf8.Valid(data) {
		return &DecodeError{Offset: int64(validPrefix(data)), Err: fmt.Errorf("%w: not UTF-8", ErrSyntax)}
	}
	s := scanner{
		data:    data,
		decoder: json.NewDecoder(bytes.NewReader(data)),
		root:    root,
		options: o,
		structs: map[reflect.Type]map[string]target{},
	}
	s.decoder.UseNumber()
	return s.run()
}

func validPrefix(data []byte) int {
	n := 0
	for n < len(data) {
		r, size := utf8.DecodeRune(data[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// explain turns an error of encoding/json into one that names field and offset.
func explain(err error, offset int64) error {
	if err == nil {
		return nil
	}
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return &DecodeError{mismatch.Field, mismatch.Offset,
			fmt.Errorf("%w: %s into %s", ErrType, mismatch.Value, mismatch.Type)}
	}
	return &DecodeError{Offset: offset, Err: err}
}
