package manifest_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/manifest"
)

const (
	minimalJSON   = `{"id":"example.com/vec/min","version":"1.0.0","compatibility":{},"provenance":{"repository":"https://example.com/vec/min","license":"MIT"}}`
	minimalDigest = "sha256:198bf452b289b1648c3cf74c091fc2952b964a997a10663fa187345594d6cb1a"
	fullJSON      = `{"id":"example.com/vec/full","name":"Full","version":"1.2.3","description":"a \u003c b \u0026 c","stability":"stable","compatibility":{"engines":{"go":"\u003e=1.24","wago":"\u003e=0.1.0"},"platforms":["darwin/arm64","linux/amd64"]},"provenance":{"homepage":"https://example.com/h#top","repository":"https://example.com/vec/full","license":"Apache-2.0","authors":["A","B"]},"requires":[{"id":"example.com/dep/a","version":"^1.0.0"},{"id":"example.com/dep/b","version":"~2.1"}],"authorities":[{"name":"host.import.define","mode":"required","reason":"imports","scope":{"modules":["a","b"]}},{"name":"instance.manage","mode":"optional","reason":"forks","scope":{"maxInstances":4,"maxMemoryBytes":65536}}],"configSchema":{"additionalProperties":false,"properties":{"a":{"type":"string"},"z":{"type":"integer"}},"type":"object"},"provides":[{"id":"example.com/vec/full/svc","major":1},{"id":"example.com/vec/full/svc","major":2}],"consumes":[{"id":"example.com/dep/a/svc","major":1,"mode":"required"},{"id":"example.com/dep/b/svc","major":3,"mode":"many"}]}`
	fullDigest    = "sha256:415c6c74bb448ce1cf4ee436e166cff5944d813e2a698ca4012746b81cb3126d"
)

func TestDigestVectors(t *testing.T) {
	for name, row := range map[string]struct {
		definition   manifest.PluginDefinition
		text, digest string
	}{
		"minimal": {minimal("example.com/vec/min"), minimalJSON, minimalDigest},
		"full":    {full(), fullJSON, fullDigest},
	} {
		t.Run(name, func(t *testing.T) {
			canonical, err := manifest.CanonicalPluginDefinition(row.definition)
			require.NoError(t, err)
			text, err := json.Marshal(canonical)
			require.NoError(t, err)
			require.Equal(t, row.text, string(text))
			sum, err := manifest.DefinitionDigest(row.definition)
			require.NoError(t, err)
			require.Equal(t, row.digest, sum)
			require.Equal(t, row.digest, hash(written(row.definition)), "written by hand")
		})
	}
}

func TestEmptyListsAreAbsent(t *testing.T) {
	d := minimal("example.com/vec/min")
	d.Compatibility = manifest.Compatibility{Engines: map[string]string{}, Platforms: []string{}}
	d.Provenance.Authors = []string{}
	d.Requires = []manifest.PluginRequirement{}
	d.Authorities = []manifest.AuthorityRequest{}
	d.ConfigSchema = json.RawMessage{}
	d.Provides = []manifest.ContractSpec{}
	d.Consumes = []manifest.ContractRequirement{}

	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	require.Equal(t, minimal("example.com/vec/min"), canonical)
	sum, err := manifest.DefinitionDigest(d)
	require.NoError(t, err)
	require.Equal(t, minimalDigest, sum)
}

func TestAnEmptyScopeIsWritten(t *testing.T) {
	d := minimal("example.com/vec/min")
	d.Authorities = []manifest.AuthorityRequest{{Name: manifest.AuthorityHostCallerIdentify, Mode: "required", Reason: "r"}}
	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	text, err := json.Marshal(canonical)
	require.NoError(t, err)
	require.Contains(t, string(text), `"reason":"r","scope":{}}`)
}

func TestSchemaNumbersKeepTheirText(t *testing.T) {
	d := minimal("example.com/vec/min")
	d.ConfigSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"x":[1.0,1e400,12345678901234567890,-0]}`)
	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	require.Equal(t, `{"additionalProperties":false,"type":"object","x":[1.0,1e400,12345678901234567890,-0]}`,
		string(canonical.ConfigSchema))
}

func TestTheArgumentIsLeftAlone(t *testing.T) {
	d := full()
	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	require.Equal(t, full(), d)

	canonical.Compatibility.Engines["wago"] = "x"
	canonical.Authorities[0].Scope.Modules[0] = "x"
	canonical.Provenance.Authors[0] = "x"
	canonical.ConfigSchema[0] = 'x'
	require.Equal(t, full(), d)
}

// The canonical form is a fixed point, says the same in any order, and is what an independent writer of the format writes.
func TestCanonicalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := definitions("example.com/a").Draw(t, "definition")
		once, err := manifest.CanonicalPluginDefinition(d)
		require.NoError(t, err)
		twice, err := manifest.CanonicalPluginDefinition(once)
		require.NoError(t, err)
		require.Equal(t, once, twice)

		sum, err := manifest.DefinitionDigest(d)
		require.NoError(t, err)
		text, err := json.Marshal(once)
		require.NoError(t, err)
		require.Equal(t, string(text), written(d))
		require.Equal(t, sum, hash(written(d)))

		slices.Reverse(d.Compatibility.Platforms)
		slices.Reverse(d.Provenance.Authors)
		slices.Reverse(d.Requires)
		slices.Reverse(d.Authorities)
		slices.Reverse(d.Provides)
		slices.Reverse(d.Consumes)
		other, err := manifest.DefinitionDigest(d)
		require.NoError(t, err)
		require.Equal(t, sum, other)
	})
}

func TestEveryFieldIsInTheDigest(t *testing.T) {
	seen := map[string]string{fullDigest: "nothing"}
	for name, change := range map[string]func(*manifest.PluginDefinition){
		"ID":            func(d *manifest.PluginDefinition) { d.ID += "x" },
		"Name":          func(d *manifest.PluginDefinition) { d.Name += "x" },
		"Version":       func(d *manifest.PluginDefinition) { d.Version = "v" + d.Version },
		"Description":   func(d *manifest.PluginDefinition) { d.Description += "x" },
		"Stability":     func(d *manifest.PluginDefinition) { d.Stability = manifest.Deprecated },
		"Engines":       func(d *manifest.PluginDefinition) { d.Compatibility.Engines["go"] = ">=1.25" },
		"Platforms":     func(d *manifest.PluginDefinition) { d.Compatibility.Platforms[0] = "plan9/386" },
		"Homepage":      func(d *manifest.PluginDefinition) { d.Provenance.Homepage = "" },
		"Repository":    func(d *manifest.PluginDefinition) { d.Provenance.Repository += "x" },
		"License":       func(d *manifest.PluginDefinition) { d.Provenance.License += "x" },
		"Authors":       func(d *manifest.PluginDefinition) { d.Provenance.Authors[0] += "x" },
		"Requires":      func(d *manifest.PluginDefinition) { d.Requires[0].Version = "~2.2" },
		"mode":          func(d *manifest.PluginDefinition) { d.Authorities[0].Mode = manifest.AuthorityRequired },
		"reason":        func(d *manifest.PluginDefinition) { d.Authorities[0].Reason += "x" },
		"scope":         func(d *manifest.PluginDefinition) { d.Authorities[0].Scope.MaxInstances++ },
		"scope modules": func(d *manifest.PluginDefinition) { d.Authorities[1].Scope.Modules[0] += "x" },
		"ConfigSchema":  func(d *manifest.PluginDefinition) { d.ConfigSchema = nil },
		"Provides":      func(d *manifest.PluginDefinition) { d.Provides[0].Major++ },
		"Consumes":      func(d *manifest.PluginDefinition) { d.Consumes[0].Mode = manifest.ContractOptional },
	} {
		d := full()
		change(&d)
		sum, err := manifest.DefinitionDigest(d)
		require.NoError(t, err, name)
		require.Empty(t, seen[sum], "%s and %s give the same digest", name, seen[sum])
		seen[sum] = name
	}
}

func hash(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

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
