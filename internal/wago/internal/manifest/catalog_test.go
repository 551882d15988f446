package manifest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/manifest"
)

const (
	module     = "example.com/vec"
	importPath = module + "/register"
)

func encoded(t require.TestingT, ids ...string) []byte {
	var list []manifest.PluginDefinition
	for _, id := range ids {
		list = append(list, minimal(id))
	}
	text, err := manifest.EncodeProviderCatalog(importPath, list)
	require.NoError(t, err)
	return text
}

func TestCatalogIsByteForByte(t *testing.T) {
	d := minimal(module)
	d.Description = "a > b"
	other := minimal(module + "/sub")
	text, err := manifest.EncodeProviderCatalog(importPath, []manifest.PluginDefinition{other, d})
	require.NoError(t, err)
	first, err := manifest.DefinitionDigest(d)
	require.NoError(t, err)
	second, err := manifest.DefinitionDigest(other)
	require.NoError(t, err)
	require.Equal(t, `{
  "$schema": "https://wago.sh/v1/providers.schema.json",
  "providers": [
    {
      "importPath": "example.com/vec/register",
      "definition": {
        "id": "example.com/vec",
        "version": "1.0.0",
        "description": "a \u003e b",
        "compatibility": {},
        "provenance": {
          "repository": "https://example.com/vec/min",
          "license": "MIT"
        }
      },
      "definitionDigest": "`+first+`"
    },
    {
      "importPath": "example.com/vec/register",
      "definition": {
        "id": "example.com/vec/sub",
        "version": "1.0.0",
        "compatibility": {},
        "provenance": {
          "repository": "https://example.com/vec/min",
          "license": "MIT"
        }
      },
      "definitionDigest": "`+second+`"
    }
  ]
}
`, string(text))
}

func TestEncodeCatalogRefuses(t *testing.T) {
	numbered := func(n int) (list []manifest.PluginDefinition) {
		list = append(list, minimal(module))
		for i := range n - 1 {
			list = append(list, minimal(fmt.Sprintf("%s/p%d", module, i)))
		}
		return list
	}
	huge := numbered(10)
	for i := range huge {
		huge[i].ConfigSchema = schemaOf(256 << 10)
	}
	_, err := manifest.EncodeProviderCatalog(importPath, numbered(128))
	require.NoError(t, err, "at the bound")

	for name, row := range map[string]struct {
		importPath  string
		definitions []manifest.PluginDefinition
	}{
		"no provider":                 {importPath, nil},
		"one too many":                {importPath, numbered(129)},
		"more than two MiB":           {importPath, huge},
		"one ID twice":                {importPath, append(numbered(1), minimal(module))},
		"no import path":              {"", numbered(1)},
		"import path not of register": {module, numbered(1)},
		"import path of another":      {"example.com/other/register", numbered(1)},
		"no source module":            {importPath, []manifest.PluginDefinition{minimal(module + "/sub")}},
		"one from elsewhere":          {importPath, append(numbered(1), minimal("example.com/vector"))},
		"one from above":              {"example.com/vec/sub/register", []manifest.PluginDefinition{minimal(module + "/sub"), minimal(module)}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := manifest.EncodeProviderCatalog(row.importPath, row.definitions)
			require.ErrorIs(t, err, manifest.ErrInvalidCatalog)
			require.Nil(t, text)
		})
	}
}

func TestEncodeCatalogNamesTheInvalidDefinition(t *testing.T) {
	bad := minimal(module + "/bad")
	bad.Version = ""
	_, err := manifest.EncodeProviderCatalog(importPath, []manifest.PluginDefinition{minimal(module), bad})
	requirePluginError(t, err, manifest.ErrInvalidDefinition, bad.ID, manifest.PluginPhaseValidate, "version")
}

func TestDecodeCatalogRefuses(t *testing.T) {
	good := string(encoded(t, module, module+"/sub"))
	_, err := manifest.DecodeProviderCatalog([]byte(good))
	require.NoError(t, err)
	sum, err := manifest.DefinitionDigest(minimal(module))
	require.NoError(t, err)
	swapped := func() string {
		var document map[string]any
		require.NoError(t, json.Unmarshal([]byte(good), &document))
		list := document["providers"].([]any)
		list[0], list[1] = list[1], list[0]
		text, err := json.Marshal(document)
		require.NoError(t, err)
		return string(text)
	}
	var many strings.Builder
	for range 129 {
		many.WriteString(`,{"importPath":"","definition":{},"definitionDigest":""}`)
	}
	replace := func(old, new string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, new, 1)
	}
	reordered := strings.Replace(replace(`"version": "1.0.0",`, ""), `"compatibility": {},`, `"compatibility": {}, "version": "1.0.0",`, 1)
	schemaURI := manifest.ProviderCatalogSchemaURI

	for name, text := range map[string]string{
		"nothing":                         "",
		"null":                            "null",
		"an array":                        "[]",
		"cut off":                         good[:len(good)/2],
		"more than two MiB":               good + strings.Repeat(" ", 2<<20),
		"a second document":               good + good,
		"words behind":                    good + "x",
		"an unknown member":               replace(`"providers"`, `"x": 1, "providers"`),
		"a member in other letter case":   replace(`"providers"`, `"Providers"`),
		"a member twice":                  replace(`"providers"`, `"$schema": "`+schemaURI+`", "providers"`),
		"an unknown member of an entry":   replace(`"importPath"`, `"x": 1, "importPath"`),
		"a member of an entry twice":      replace(`"importPath"`, `"importPath": "x", "importPath"`),
		"an unknown definition field":     replace(`"version"`, `"x": 1, "version"`),
		"a definition field twice":        replace(`"version"`, `"version": "1.0.0", "version"`),
		"no schema":                       replace(`"$schema": "`+schemaURI+`",`, ""),
		"another schema":                  replace(schemaURI, schemaURI+"#"),
		"no providers":                    `{"$schema":"` + schemaURI + `"}`,
		"an empty list":                   `{"$schema":"` + schemaURI + `","providers":[]}`,
		"providers are null":              `{"$schema":"` + schemaURI + `","providers":null}`,
		"one too many":                    `{"$schema":"` + schemaURI + `","providers":[` + many.String()[1:] + `]}`,
		"an entry that is null":           `{"$schema":"` + schemaURI + `","providers":[null]}`,
		"a definition that is null":       `{"$schema":"` + schemaURI + `","providers":[{"importPath":"` + importPath + `","definition":null,"definitionDigest":""}]}`,
		"an entry without definition":     `{"$schema":"` + schemaURI + `","providers":[{"importPath":"` + importPath + `","definitionDigest":""}]}`,
		"not in order":                    swapped(),
		"another digest":                  replace(sum, minimalDigest),
		"no digest":                       replace(sum, ""),
		"digest in upper case":            replace(sum, strings.ToUpper(sum)),
		"entries of two import paths":     replace(importPath, "example.com/vec/sub/register"),
		"an invalid definition":           replace(`"1.0.0"`, `"1.0"`),
		"a definition that has changed":   replace(`"1.0.0"`, `"1.0.1"`),
		"an empty list that is written":   replace(`"compatibility": {}`, `"compatibility": {"platforms": []}`),
		"an empty text that is written":   replace(`"version"`, `"name": "", "version"`),
		"fields in another order":         reordered,
		"a text with a needless escape":   replace(`"1.0.0"`, `"\u0031.0.0"`),
		"invalid UTF-8":                   replace(`"MIT"`, "\"M\xffT\""),
		"the same definition twice":       replace(module+"/sub", module),
		"one from elsewhere":              replace(module+"/sub", "example.com/zzz"),
		"import path that isn't register": strings.ReplaceAll(good, importPath, module),
	} {
		t.Run(name, func(t *testing.T) {
			document, err := manifest.DecodeProviderCatalog([]byte(text))
			require.ErrorIs(t, err, manifest.ErrInvalidCatalog)
			require.Zero(t, document)
			require.Less(t, len(err.Error()), 1000, "an error is read by people")
		})
	}
}

// Names of a configuration schema that differ in letter case are different names.
func TestCatalogKeepsSchemasAsTheyAre(t *testing.T) {
	d := minimal(module)
	d.ConfigSchema = schema(`,"properties":{"a":{"default":null},"A":{"maximum":1.50}}`)
	text, err := manifest.EncodeProviderCatalog(importPath, []manifest.PluginDefinition{d})
	require.NoError(t, err)
	document, err := manifest.DecodeProviderCatalog(text)
	require.NoError(t, err)
	require.Equal(t, `{"additionalProperties":false,"properties":{"A":{"maximum":1.50},"a":{"default":null}},"type":"object"}`,
		string(document.Providers[0].Definition.ConfigSchema))
}

func TestDecodeIgnoresBlanks(t *testing.T) {
	text := encoded(t, module, module+"/sub")
	want, err := manifest.DecodeProviderCatalog(text)
	require.NoError(t, err)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, text))
	for _, other := range [][]byte{compact.Bytes(), bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))} {
		got, err := manifest.DecodeProviderCatalog(other)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestAnInvalidEntryNamesItsPlugin(t *testing.T) {
	text := strings.Replace(string(encoded(t, module, module+"/sub")), `"1.0.0"`, `"1.0"`, 1)
	_, err := manifest.DecodeProviderCatalog([]byte(text))
	requirePluginError(t, err, manifest.ErrInvalidDefinition, module, manifest.PluginPhaseValidate, "version")
	require.ErrorIs(t, err, manifest.ErrInvalidCatalog)
}

// What is written is read back as the canonical definitions, and written again as the same bytes, whatever the order.
func TestCatalogRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := append([]string{module},
			rapid.SliceOfNDistinct(rapid.StringMatching(`example\.com/vec/[a-z]{1,3}`), 0, 4, itself).Draw(t, "ids")...)
		var list []manifest.PluginDefinition
		for _, id := range ids {
			list = append(list, definitions(id).Draw(t, id))
		}
		list = rapid.Permutation(list).Draw(t, "order")
		text, err := manifest.EncodeProviderCatalog(importPath, list)
		require.NoError(t, err)

		document, err := manifest.DecodeProviderCatalog(text)
		require.NoError(t, err)
		require.Equal(t, manifest.ProviderCatalogSchemaURI, document.Schema)
		require.Len(t, document.Providers, len(list))
		for _, d := range list {
			canonical, err := manifest.CanonicalPluginDefinition(d)
			require.NoError(t, err)
			sum, err := manifest.DefinitionDigest(d)
			require.NoError(t, err)
			require.Contains(t, document.Providers, manifest.ProviderCatalogEntry{
				ImportPath: importPath, Definition: canonical, DefinitionDigest: sum,
			})
		}
		again, err := manifest.EncodeProviderCatalog(importPath, read(document))
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
	})
}

func read(document manifest.ProviderCatalogDocument) (list []manifest.PluginDefinition) {
	for _, entry := range document.Providers {
		list = append(list, entry.Definition)
	}
	return list
}
