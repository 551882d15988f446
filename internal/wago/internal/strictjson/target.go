package strictjson

import (
	"encoding/json"
	"reflect"
	"strings"
)

// target is what encoding/json will decode a value into, as far as the rules depend on it.
type target struct {
	typ    reflect.Type // nil: an interface, or nothing the value fits
	opaque bool         // a type with its own UnmarshalJSON: what is inside is its business
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func targetOf(typ reflect.Type) target {
	for {
		if typ.Implements(unmarshaler) || reflect.PointerTo(typ).Implements(unmarshaler) {
			return target{opaque: true}
		}
		switch typ.Kind() {
		case reflect.Pointer:
			typ = typ.Elem()
		case reflect.Interface:
			return target{}
		default:
			return target{typ: typ}
		}
	}
}

// element is the target of an array's elements or a map's values.
func (t target) element() target {
	if t.typ == nil {
		return t
	}
	switch t.typ.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array:
		return targetOf(t.typ.Elem())
	default:
		return target{}
	}
}

// addFields follows the naming rules of encoding/json. Which of two embedded fields of one name wins doesn't matter here: the
// decoder itself decides that later.
func addFields(typ reflect.Type, names map[string]target, visited map[reflect.Type]bool) {
	if visited[typ] {
		return
	}
	visited[typ] = true
	for i := range typ.NumField() {
		field := typ.Field(i)
		tag := field.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		embedded := field.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case tag == "-":
		case field.Anonymous && name == "" && embedded.Kind() == reflect.Struct:
			addFields(embedded, names, visited)
		case !field.IsExported():
		case name == "":
			names[field.Name] = targetOf(field.Type)
		default:
			names[name] = targetOf(field.Type)
		}
	}
}
