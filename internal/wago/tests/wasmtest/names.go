package wasmtest

// NameSection is the custom section that gives names to a module and its functions, for stack traces. It stands behind all
// others.
//
// Safe for concurrent use.
func NameSection(subsections ...[]byte) []byte {
	payload := Name("name")
	for _, subsection := range subsections {
		payload = append(payload, subsection...)
	}
	return Section(SectionCustom, payload)
}

// ModuleName is the part of a name section that names the module.
//
// Safe for concurrent use.
func ModuleName(name string) []byte { return Section(0, Name(name)) }

// FuncNames is the part of a name section that names functions. Entries come from [NameEntry], ordered by index.
//
// Safe for concurrent use.
func FuncNames(entries ...[]byte) []byte { return Section(1, Vec(entries...)) }

// NameEntry names the function with that index, imported ones counted first.
//
// Safe for concurrent use.
func NameEntry(index uint32, name string) []byte { return append(ULEB(index), Name(name)...) }
