package inspect

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Write prints the examination of the guest with that name.
func (x *Examination) Write(w io.Writer, name string, size int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%d bytes\n", name, size)
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
	fmt.Fprintf(w, "memory\t%s\n", m.Memory.describe(" pages of 64 KiB"))
	fmt.Fprintf(w, "table\t%s\n", m.Table.describe(" entries"))
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

func (l *Limits) describe(unit string) string {
	switch {
	case l == nil:
		return "none"
	case l.HasMax:
		return fmt.Sprintf("%d to %d%s", l.Min, l.Max, unit)
	}
	return fmt.Sprintf("%d%s, no maximum declared", l.Min, unit)
}

// String names the entry by its number, and by its function's name if that is known.
func (e Entry) String() string {
	if e.Name == "" {
		return fmt.Sprintf("entry %d", e.Index)
	}
	return fmt.Sprintf("entry %d (%s)", e.Index, e.Name)
}
