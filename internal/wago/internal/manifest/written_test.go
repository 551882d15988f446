package manifest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wago-org/wago/internal/manifest"
)

// written writes the canonical JSON without the encoder under test: member by member, in the published order.
func written(d manifest.PluginDefinition) string {
	o := object{}
	o.add("id", quoted(d.ID))
	o.text("name", d.Name)
	o.add("version", quoted(d.Version))
	o.text("description", d.Description)
	o.text("stability", string(d.Stability))

	compatibility := object{}
	var engines []string
	for name, wanted := range d.Compatibility.Engines {
		engines = append(engines, quoted(name)+":"+quoted(wanted))
	}
	slices.Sort(engines)
	if len(engines) > 0 {
		compatibility.add("engines", "{"+strings.Join(engines, ",")+"}")
	}
	compatibility.list("platforms", texts(d.Compatibility.Platforms))
	o.add("compatibility", compatibility.String())

	provenance := object{}
	provenance.text("homepage", d.Provenance.Homepage)
	provenance.text("repository", d.Provenance.Repository)
	provenance.text("license", d.Provenance.License)
	provenance.list("authors", texts(d.Provenance.Authors))
	o.add("provenance", provenance.String())

	o.list("requires", sorted(d.Requires, func(r manifest.PluginRequirement) (string, string) {
		return r.ID, fmt.Sprintf(`{"id":%s,"version":%s}`, quoted(r.ID), quoted(r.Version))
	}))
	o.list("authorities", sorted(d.Authorities, func(r manifest.AuthorityRequest) (string, string) {
		scope := object{}
		scope.list("modules", texts(r.Scope.Modules))
		scope.number("maxInstances", uint64(r.Scope.MaxInstances))
		scope.number("maxMemoryBytes", r.Scope.MaxMemoryBytes)
		return string(r.Name), fmt.Sprintf(`{"name":%s,"mode":%s,"reason":%s,"scope":%s}`,
			quoted(string(r.Name)), quoted(string(r.Mode)), quoted(r.Reason), scope)
	}))
	if len(d.ConfigSchema) > 0 {
		o.add("configSchema", schemaText(d.ConfigSchema))
	}
	o.list("provides", sorted(d.Provides, func(s manifest.ContractSpec) (string, string) {
		return fmt.Sprintf("%s %010d", s.ID, s.Major), fmt.Sprintf(`{"id":%s,"major":%d}`, quoted(s.ID), s.Major)
	}))
	o.list("consumes", sorted(d.Consumes, func(r manifest.ContractRequirement) (string, string) {
		return fmt.Sprintf("%s %010d", r.ID, r.Major),
			fmt.Sprintf(`{"id":%s,"major":%d,"mode":%s}`, quoted(r.ID), r.Major, quoted(string(r.Mode)))
	}))
	return o.String()
}

// schemaText walks a schema by its tokens and writes it with sorted names.
func schemaText(schema json.RawMessage) string {
	decoder := json.NewDecoder(strings.NewReader(string(schema)))
	decoder.UseNumber()
	var value func() string
	value = func() string {
		token, err := decoder.Token()
		if err != nil {
			panic(err)
		}
		var parts []string
		switch token := token.(type) {
		case json.Delim:
			for decoder.More() {
				if token == '{' {
					name, _ := decoder.Token()
					parts = append(parts, quoted(name.(string))+":"+value())
				} else {
					parts = append(parts, value())
				}
			}
			_, _ = decoder.Token()
			if token == '[' {
				return "[" + strings.Join(parts, ",") + "]"
			}
			slices.Sort(parts)
			return "{" + strings.Join(parts, ",") + "}"
		case string:
			return quoted(token)
		case json.Number:
			return string(token)
		default:
			return fmt.Sprint(token)
		}
	}
	return value()
}

// object is a JSON object being written.
type object []string

func (o *object) add(name, value string) { *o = append(*o, quoted(name)+":"+value) }

func (o *object) text(name, value string) {
	if value != "" {
		o.add(name, quoted(value))
	}
}

func (o *object) number(name string, value uint64) {
	if value != 0 {
		o.add(name, strconv.FormatUint(value, 10))
	}
}

func (o *object) list(name string, values []string) {
	if len(values) > 0 {
		o.add(name, "["+strings.Join(values, ",")+"]")
	}
}

func (o object) String() string { return "{" + strings.Join(o, ",") + "}" }

func texts(values []string) []string {
	return sorted(values, func(s string) (string, string) { return s, quoted(s) })
}

// sorted writes the values of a list and sorts them by key.
func sorted[T any](values []T, write func(T) (key, text string)) []string {
	type pair struct{ key, text string }
	var pairs []pair
	for _, value := range values {
		key, text := write(value)
		pairs = append(pairs, pair{key, text})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	var out []string
	for _, p := range pairs {
		out = append(out, p.text)
	}
	return out
}

// quoted writes a JSON string with the escapes of the format.
func quoted(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
