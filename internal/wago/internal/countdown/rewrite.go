package countdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// full is what the counter is filled up to, in units of one plain instruction:
// some tens of microseconds, against some tens of nanoseconds for leaving guest
// code.
const full = 200_000

// Rewrite returns the module with the countdown in it; o is its outline. The
// module must be valid: its own code could name what is added otherwise. Without
// functions of its own it is returned as it is. Instances must be given a [Gate].
//
// Whatever the module says of itself stays as it was, apart from the maximum of
// its memory, and from the custom sections .debug_*, which are left out: they
// speak of places in code that has moved.
//
// Errors: ErrUnknownInstruction, ErrMemory, ErrMalformed. Safe for concurrent
// use.
func Rewrite(o *binfmt.Outline, wasm []byte) ([]byte, error) { return rewrite(o, wasm, full) }

func rewrite(o *binfmt.Outline, wasm []byte, full int32) ([]byte, error) {
	if err := checkMemory(o); err != nil {
		return nil, err
	}
	sections, err := binfmt.Sections(wasm)
	if err != nil {
		return nil, malformed(err)
	}
	if !hasCode(sections) {
		return wasm, nil
	}
	x := newExtension(o, full)
	for i := range sections {
		if sections[i].ID != binfmt.SectionCode {
			continue
		}
		if sections[i].Body, err = x.rewriteCode(sections[i].Body); err != nil {
			return nil, err
		}
	}
	sections = slices.DeleteFunc(sections, isDebugInfo)
	sections = withSection(withSection(sections, binfmt.SectionMemory), binfmt.SectionGlobal)
	out := make([]byte, 0, 2*len(wasm))
	out = append(out, binfmt.Header...)
	for _, s := range sections {
		if s, err = x.extend(s, o); err != nil {
			return nil, malformed(err)
		}
		out = s.AppendTo(out)
	}
	return out, nil
}

func malformed(err error) error { return fmt.Errorf("%w: %w", ErrMalformed, err) }

// checkMemory says whether a gate can stand before the memory.
func checkMemory(o *binfmt.Outline) error {
	for _, imp := range o.Imports {
		if imp.Kind == binfmt.Memory {
			return fmt.Errorf("%w: it is imported (%q.%q)", ErrMemory, imp.Module, imp.Name)
		}
	}
	for _, mem := range o.Memories {
		if mem.Shared {
			return fmt.Errorf("%w: it is shared", ErrMemory)
		}
		if mem.Min > MaxMemoryPages {
			return fmt.Errorf("%w: it starts with %d pages, above %d", ErrMemory, mem.Min, MaxMemoryPages)
		}
	}
	return nil
}

// hasCode reports whether there are functions: an empty code section may stand
// without any.
func hasCode(sections []binfmt.RawSection) bool {
	return slices.ContainsFunc(sections, func(s binfmt.RawSection) bool {
		return s.ID == binfmt.SectionCode && binfmt.NewReader(s.Body).U32() > 0
	})
}

// rewriteCode rewrites the function bodies and adds those of the extension.
func (x *extension) rewriteCode(section []byte) ([]byte, error) {
	r := binfmt.NewReader(section)
	n := r.U32()
	out := make([]byte, 0, 2*len(section))
	for i := range n {
		body, err := x.rewriteBody(r.Take(r.U32()))
		if err != nil {
			return nil, fmt.Errorf("body %d: %w", i, err)
		}
		out = append(out, sized(body)...)
	}
	for _, body := range x.bodies {
		out = append(out, sized(body)...)
	}
	return append(binfmt.ULEB(uint64(n)+uint64(len(x.bodies))), out...), nil
}

// extend adds what the section gets of the extension.
func (x *extension) extend(s binfmt.RawSection, o *binfmt.Outline) (binfmt.RawSection, error) {
	switch s.ID {
	case binfmt.SectionType:
		return s.Extend(2, x.types())
	case binfmt.SectionFunction:
		return s.Extend(len(x.bodies), x.functionTypes())
	case binfmt.SectionGlobal:
		return s.Extend(addedGlobals, x.globals())
	case binfmt.SectionMemory:
		minimum := uint32(0)
		if len(o.Memories) > 0 {
			minimum = o.Memories[0].Min
		}
		const one, noMaximum = 1, 0
		s.Body = append([]byte{one, noMaximum}, binfmt.ULEB(uint64(minimum))...)
	}
	return s, nil
}

func isDebugInfo(s binfmt.RawSection) bool {
	if s.ID != binfmt.SectionCustom {
		return false
	}
	r := binfmt.NewReader(s.Body)
	return strings.HasPrefix(string(r.Take(r.U32())), ".debug_")
}

// order is that of the sections in a module, custom ones aside.
var order = []byte{
	binfmt.SectionType, binfmt.SectionImport, binfmt.SectionFunction, binfmt.SectionTable, binfmt.SectionMemory,
	binfmt.SectionTag, binfmt.SectionGlobal, binfmt.SectionExport, binfmt.SectionStart, binfmt.SectionElement,
	binfmt.SectionDataCount, binfmt.SectionCode, binfmt.SectionData,
}

// withSection returns the sections with an empty one of that kind if it is
// missing.
func withSection(sections []binfmt.RawSection, id byte) []binfmt.RawSection {
	place := slices.Index(order, id)
	for i, s := range sections {
		if s.ID == id {
			return sections
		}
		if slices.Index(order, s.ID) > place {
			return slices.Insert(sections, i, binfmt.RawSection{ID: id, Body: []byte{0}})
		}
	}
	return append(sections, binfmt.RawSection{ID: id, Body: []byte{0}})
}
