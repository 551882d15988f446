package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// EncodeProviderCatalog writes the catalog of the definitions that the package importPath registers: indented by two spaces,
// with the HTML escapes of encoding/json, one newline at the end, definitions in canonical form and sorted by ID. The same set
// always gives the same bytes.
//
// There are 1 to 128 definitions with unique IDs. One of them is the source module: its ID is importPath without "/register".
// The IDs of all others lie below it. The file has at most 2 MiB. Errors wrap [ErrInvalidCatalog], or are those of
// [DefinitionDigest].
//
// Safe for concurrent use.
func EncodeProviderCatalog(importPath string, definitions []PluginDefinition) ([]byte, error) {
	document := ProviderCatalogDocument{Schema: ProviderCatalogSchemaURI}
	for _, d := range definitions {
		canonical, err := CanonicalPluginDefinition(d)
		if err != nil {
			return nil, err
		}
		sum, err := digest(canonical)
		if err != nil {
			return nil, err
		}
		document.Providers = append(document.Providers, ProviderCatalogEntry{importPath, canonical, sum})
	}
	slices.SortFunc(document.Providers, func(a, b ProviderCatalogEntry) int {
		return strings.Compare(a.Definition.ID, b.Definition.ID)
	})
	if err := checkCatalog(document); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidCatalog, err)
	}
	if out.Len() > maxCatalogLength {
		return nil, invalidCatalog("", "%d bytes, at most %d are allowed", out.Len(), maxCatalogLength)
	}
	return out.Bytes(), nil
}

// checkCatalog holds a document whose definitions are valid against the rules of the file: what it says about its entries
// together. Entries must be sorted.
func checkCatalog(document ProviderCatalogDocument) error {
	if n := len(document.Providers); n == 0 || n > maxCatalogProviders {
		return invalidCatalog("providers", "%d entries, 1 to %d are allowed", n, maxCatalogProviders)
	}
	importPath := document.Providers[0].ImportPath
	module, found := strings.CutSuffix(importPath, registerSuffix)
	if !found {
		return invalidCatalog("providers[0].importPath", "%s does not end in %s", shown(importPath), registerSuffix)
	}
	source := false
	for i, entry := range document.Providers {
		path := fmt.Sprintf("providers[%d]", i)
		id := entry.Definition.ID
		if entry.ImportPath != importPath {
			return invalidCatalog(path+".importPath", "%s, other entries have %s", shown(entry.ImportPath), shown(importPath))
		}
		if id != module && !strings.HasPrefix(id, module+"/") {
			return invalidCatalog(path+".definition.id", "%s is not below the module %s", id, shown(module))
		}
		if i > 0 && id <= document.Providers[i-1].Definition.ID {
			return invalidCatalog(path+".definition.id", "%s is there twice or not in lexical order", id)
		}
		source = source || id == module
	}
	if !source {
		return invalidCatalog("providers", "no definition has the ID %s of the source module", shown(module))
	}
	return nil
}

// invalidCatalog refuses a file as a whole.
func invalidCatalog(path, format string, args ...any) error {
	reason := fmt.Errorf(format, args...)
	if path == "" {
		return fmt.Errorf("%w: %w", ErrInvalidCatalog, reason)
	}
	return fmt.Errorf("%w: %s: %w", ErrInvalidCatalog, path, reason)
}
