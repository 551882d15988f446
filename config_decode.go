package pool

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// maxConfigBytes bounds what is looked at: four numbers take far less.
const maxConfigBytes = 64 << 10

// decodeConfig reads a configuration: one JSON object of known fields, each at most once in any letter case, each an integer
// within its bounds, written in digits alone (3.0, 1e2 and -0 are refused). Nil, or no bytes, is the configuration {}; blanks
// alone are none, nor is anything that begins with a byte order mark.
func decodeConfig(raw json.RawMessage) (config, error) {
	var c config
	if len(raw) == 0 {
		return c, nil
	}
	if len(raw) > maxConfigBytes {
		return c, configError("", maxConfigBytes, "%d bytes, at most %d are read", len(raw), maxConfigBytes)
	}
	if len(bytes.Trim(raw, " \t\r\n")) == 0 {
		return c, configError("", int64(len(raw)), "only blanks")
	}
	d := configDecoder{json.NewDecoder(bytes.NewReader(raw))}
	d.UseNumber()
	if err := d.object(&c); err != nil {
		return config{}, err
	}
	return c, c.check()
}

type configDecoder struct{ *json.Decoder }

func (d configDecoder) object(c *config) error {
	if open, err := d.Token(); err != nil {
		return d.syntax("", err)
	} else if open != json.Delim('{') {
		return d.refuse("", "not an object")
	}
	for d.More() {
		if err := d.field(c); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return d.syntax("", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return d.refuse("", "text after the object")
	}
	return nil
}

func (d configDecoder) field(c *config) error {
	token, err := d.Token()
	if err != nil {
		return d.syntax("", err)
	}
	name, _ := token.(string) // the decoder lets nothing else stand there
	for _, s := range settings {
		if strings.EqualFold(s.name, name) {
			return d.value(s, name, s.into(c))
		}
	}
	return d.refuse(name, "unknown field")
}

func (d configDecoder) value(s setting, name string, into **uint32) error {
	switch {
	case *into != nil:
		return d.refuse(name, "given twice")
	case name != s.name:
		return d.refuse(name, "unknown field, did you mean %q?", s.name)
	}
	token, err := d.Token()
	if err != nil {
		return d.syntax(name, err)
	}
	number, ok := token.(json.Number)
	if !ok {
		return d.refuse(name, "not an integer from 1 to %d", s.most)
	}
	value, err := strconv.ParseUint(number.String(), 10, 32)
	if err != nil || value < 1 || value > uint64(s.most) {
		return d.refuse(name, "%.40s is not an integer from 1 to %d", number, s.most)
	}
	narrow := uint32(value)
	*into = &narrow
	return nil
}

func (d configDecoder) refuse(field, format string, args ...any) error {
	return configError(field, d.InputOffset(), format, args...)
}

// syntax is an error of the JSON decoder.
func (d configDecoder) syntax(field string, err error) error {
	offset := d.InputOffset()
	var where *json.SyntaxError
	switch {
	case errors.As(err, &where):
		offset = where.Offset
	case errors.Is(err, io.EOF): // of no use to a reader, and a trap for who compares with it
		err = io.ErrUnexpectedEOF
	}
	return &ConfigError{Field: field, Offset: offset, Err: err}
}
