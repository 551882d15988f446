package pooltest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Adapt returns a copy of one of the kit's guests whose imports are those of the plugin under test: for each name that the
// guest imports from the kit, as in "next", the function to import in its place, as in "mine.next". What isn't named stays the
// kit's. The signatures stay as they are: of a plugin that declares others the guest gets no instance.
func (k *Kit) Adapt(guest []byte, imports map[string]string) []byte {
	k.t.Helper()
	adapted, err := adapt(guest, imports)
	if err != nil {
		k.t.Fatalf("pooltest: adapting the guest: %v", err)
	}
	return adapted
}

var errGuest = errors.New("it is not one of the kit's guests")

const (
	headerSize    = 8 // a module's magic number and version
	importSection = 2

	functionImport = 0 // the kind
)

// adapt rewrites the import section of a module whose imports are all functions, as those of the kit's guests are.
func adapt(guest []byte, imports map[string]string) ([]byte, error) {
	if len(guest) < headerSize {
		return nil, errGuest
	}
	for name, as := range imports {
		if module, function, _ := strings.Cut(as, "."); module == "" || function == "" {
			return nil, fmt.Errorf("%s is to be %q, which is no module.function", name, as)
		}
	}
	r := reader{rest: guest[headerSize:]}
	out := slices.Clone(guest[:headerSize])
	todo := maps.Clone(imports)
	for len(r.rest) > 0 {
		id := r.byte()
		section := r.sized()
		if id == importSection {
			section = renamed(section, todo, &r)
		}
		out = appendSized(append(out, id), section)
	}
	switch {
	case r.broken:
		return nil, errGuest
	case len(todo) > 0:
		return nil, fmt.Errorf("it imports no %s that could be the plugin's", strings.Join(slices.Sorted(maps.Keys(todo)), ", "))
	}
	return out, nil
}

// renamed returns an import section with other names, and takes those from todo.
func renamed(section []byte, todo map[string]string, outer *reader) []byte {
	r := reader{rest: section}
	count := r.number()
	out := binary.AppendUvarint(nil, count)
	for n := uint64(0); n < count && !r.broken; n++ {
		module, name := string(r.sized()), string(r.sized())
		if as, ok := todo[name]; ok && module == ImportModule && name != "turn" {
			delete(todo, name)
			module, name, _ = strings.Cut(as, ".")
		}
		out = appendSized(appendSized(out, []byte(module)), []byte(name))
		if r.byte() != functionImport {
			r.broken = true
		}
		out = binary.AppendUvarint(append(out, functionImport), r.number())
	}
	outer.broken = outer.broken || r.broken
	return out
}

func appendSized(out, text []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// reader takes a module apart. What it takes beyond the end is zero, and broken says so.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.broken = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.broken, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) sized() []byte {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.broken, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
