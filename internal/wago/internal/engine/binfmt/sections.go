package binfmt

// RawSection is a section as it stands in a module. Not safe for concurrent use
// while its body is being changed.
type RawSection struct {
	// ID is one of the Section constants.
	ID byte
	// Body is what follows the section's length.
	Body []byte
}

// Sections splits a module, whose header must be there, into its sections in
// their order. The bodies are parts of wasm. Its errors wrap [ErrMalformed]. Safe
// for concurrent use.
func Sections(wasm []byte) ([]RawSection, error) {
	r := &Reader{b: wasm}
	r.Take(uint32(len(Header)))
	var sections []RawSection
	for !r.Done() {
		sections = append(sections, RawSection{r.Byte(), r.Take(r.U32())})
	}
	if r.err != nil {
		return nil, r.err
	}
	return sections, nil
}

// AppendTo appends the section to a module.
func (s RawSection) AppendTo(wasm []byte) []byte {
	wasm = append(append(wasm, s.ID), ULEB(uint64(len(s.Body)))...)
	return append(wasm, s.Body...)
}

// Extend returns the section, whose body is a vector, with n more items at its
// end, already encoded. The error wraps [ErrMalformed].
func (s RawSection) Extend(n int, items []byte) (RawSection, error) {
	r := &Reader{b: s.Body}
	count := uint64(r.U32()) + uint64(n)
	if r.err != nil {
		return s, r.err
	}
	body := append(ULEB(count), s.Body[r.pos:]...)
	return RawSection{s.ID, append(body, items...)}, nil
}
