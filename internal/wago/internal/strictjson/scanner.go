package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// scanner walks the tokens of a text beside the types they will be decoded into. It keeps its own stack: the depth of the
// input is not the depth of the program.
type scanner struct {
	data    []byte
	decoder *json.Decoder
	root    target
	options options
	stack   []level
	structs map[reflect.Type]map[string]target // fields by name, for the structs met so far
}

// level is an object or array that has been opened.
type level struct {
	target target
	object bool
	fields map[string]target   // of a struct; nil for other objects
	seen   map[string]struct{} // names so far, folded for a struct
	key    string              // name of the member being read
	value  bool                // the name has been read, its value is next
	index  int                 // of the array element being read
}

func (s *scanner) run() error {
	for {
		token, err := s.decoder.Token()
		if err != nil {
			return s.syntax(err)
		}
		if err := s.take(token); err != nil {
			return err
		}
		if len(s.stack) == 0 {
			return s.end()
		}
	}
}

func (s *scanner) take(token json.Token) error {
	if name, ok := token.(string); ok && s.wantsName() {
		return s.name(name)
	}
	if len(s.stack) == 0 && token != json.Delim('{') && (token != nil || !s.options.allowNull) {
		return s.refuse(ErrNotObject)
	}
	switch token {
	case json.Delim('{'), json.Delim('['):
		return s.open(token == json.Delim('{'))
	case json.Delim('}'), json.Delim(']'):
		s.stack = s.stack[:len(s.stack)-1]
	case nil:
		if !s.options.allowNull && !s.next().opaque {
			return s.refuse(ErrNull)
		}
	}
	s.finishValue()
	return nil
}

func (s *scanner) wantsName() bool {
	return len(s.stack) > 0 && s.top().object && !s.top().value
}

func (s *scanner) top() *level { return &s.stack[len(s.stack)-1] }

// name takes the name of a member.
func (s *scanner) name(name string) error {
	top := s.top()
	top.key, top.value = name, true
	unique := name
	if top.fields != nil {
		unique = strings.ToLower(strings.ToUpper(name))
	}
	if _, repeated := top.seen[unique]; repeated {
		return s.refuse(ErrDuplicateField)
	}
	if top.seen == nil {
		top.seen = map[string]struct{}{}
	}
	top.seen[unique] = struct{}{}
	if _, known := top.fields[name]; !known && top.fields != nil {
		return s.refuse(ErrUnknownField)
	}
	return nil
}

// next is the target of the value that is being read.
func (s *scanner) next() target {
	switch {
	case len(s.stack) == 0:
		return s.root
	case s.top().fields != nil:
		return s.top().fields[s.top().key]
	default:
		return s.top().target.element()
	}
}

func (s *scanner) open(object bool) error {
	if len(s.stack) == MaxDepth {
		return s.refuse(fmt.Errorf("%w: more than %d levels", ErrDepth, MaxDepth))
	}
	l := level{target: s.next(), object: object}
	if object {
		l.fields = s.fields(l.target.typ)
	}
	s.stack = append(s.stack, l)
	return nil
}

// fields lists the names of a struct with their targets, and nil for anything else.
func (s *scanner) fields(typ reflect.Type) map[string]target {
	if typ == nil || typ.Kind() != reflect.Struct {
		return nil
	}
	names := s.structs[typ]
	if names == nil {
		names = map[string]target{}
		addFields(typ, names, map[reflect.Type]bool{})
		s.structs[typ] = names
	}
	return names
}

func (s *scanner) finishValue() {
	if len(s.stack) > 0 {
		s.top().value = false
		s.top().index++
	}
}

// end makes sure that nothing but blanks follows.
func (s *scanner) end() error {
	rest := s.data[s.decoder.InputOffset():]
	blanks := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
	if blanks == len(rest) {
		return nil
	}
	return &DecodeError{Offset: s.decoder.InputOffset() + int64(blanks) + 1, Err: ErrTrailing}
}

// syntax reports what the tokens stumbled over. Their errors count bytes from the last token, so the place is looked up again.
func (s *scanner) syntax(err error) error {
	offset := int64(len(s.data))
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal(s.data, new(json.RawMessage)), &syntax) {
		offset = syntax.Offset
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &DecodeError{s.path(), offset, fmt.Errorf("%w: %w", ErrSyntax, err)}
}

func (s *scanner) refuse(err error) error {
	return &DecodeError{s.path(), s.decoder.InputOffset(), err}
}

// path names the value that is being read. Long ones are cut: an error is read by people.
func (s *scanner) path() string {
	const longest = 200
	var b strings.Builder
	for _, l := range s.stack {
		switch {
		case b.Len() > longest:
			return b.String()[:longest] + "…"
		case !l.object:
			b.WriteString("[" + strconv.Itoa(l.index) + "]")
		case l.value:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(l.key)
		}
	}
	return b.String()
}
