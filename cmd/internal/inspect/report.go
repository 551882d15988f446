package inspect

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Write prints the examination of the guest with that name.
func (x *Examination) Write(w io.Writer, name string, size int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%s\n", name, counted(uint64(size), "byte", "bytes"))
	if x.Module != nil {
		x.Module.write(t)
	}
	if len(x.Problems) == 0 {
		fmt.Fprintf(t, "can run\tyes, as far as can be told without running it\n")
	}
	for i, problem := range x.Problems {
		fmt.Fprintf(t, "%s\t%s\n", label("can run", i), no(problem))
	}
	return t.Flush()
}

func no(problem string) string { return "no: " + problem }

// label stands before the first line of a list only.
func label(text string, i int) string {
	if i > 0 {
		return ""
	}
	return text
}

func (m *Module) write(w io.Writer) {
	for i, imp := range m.Imports {
		fmt.Fprintf(w, "%s\t%s %s%s\n", label("imports", i), imp.Kind, imp.Key(), signature(imp.Kind, imp.Signature))
	}
	for i, e := range m.Exports {
		fmt.Fprintf(w, "%s\t%s %s%s\n", label("exports", i), e.Kind, e.Name, signature(e.Kind, e.Signature))
	}
	fmt.Fprintf(w, "memory\t%s\n", m.Memory.describe("page of 64 KiB", "pages of 64 KiB"))
	fmt.Fprintf(w, "table\t%s\n", m.Table.describe("entry", "entries"))
	if m.HasStart {
		fmt.Fprintf(w, "start section\tyes: it runs in every worker\n")
	}
	for i, e := range m.Entries {
		fmt.Fprintf(w, "%s\t%s\n", label("can be workers", i), e)
	}
	if m.Partial {
		fmt.Fprintf(w, "%s\tand what the table gets when an instance exists\n", label("can be workers", len(m.Entries)))
	}
}

func signature(kind Kind, s Signature) string {
	if kind != KindFunc {
		return ""
	}
	return " " + s.String()
}

func (l *Limits) describe(one, many string) string {
	switch {
	case l == nil:
		return "none"
	case l.HasMax && l.Max == l.Min:
		return counted(l.Min, one, many)
	case l.HasMax:
		return fmt.Sprintf("%d to %s", l.Min, counted(l.Max, one, many))
	}
	return counted(l.Min, one, many) + ", no maximum declared"
}

func counted(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// maxNamed bounds how many entries a message names.
const maxNamed = 8

// CantServe says why the entry can't be a worker; "": it can, as far as is known.
func (m *Module) CantServe(entry uint32) string {
	known := slices.ContainsFunc(m.Entries, func(e Entry) bool { return e.Index == uint64(entry) })
	if known || m.Partial || m.Table == nil {
		return ""
	}
	var names []string
	for _, e := range m.Entries[:min(len(m.Entries), maxNamed)] {
		names = append(names, e.String())
	}
	if len(m.Entries) > maxNamed {
		names = append(names, "…")
	}
	return fmt.Sprintf("pool.serve(%d): its table has %s, and these can be workers: %s",
		entry, counted(m.Table.Min, "entry", "entries"), strings.Join(names, ", "))
}

// String names the entry by its number, and by its function's name if that is known.
func (e Entry) String() string {
	if e.Name == "" {
		return fmt.Sprintf("entry %d", e.Index)
	}
	return fmt.Sprintf("entry %d (%s)", e.Index, e.Name)
}
