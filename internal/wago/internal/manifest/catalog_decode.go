package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/wago-org/wago/internal/strictjson"
)

// rawCatalog is a catalog before anything is known about its definitions.
type rawCatalog struct {
	Schema    string     `json:"$schema"`
	Providers []rawEntry `json:"providers"`
}

type rawEntry struct {
	ImportPath       string          `json:"importPath"`
	Definition       json.RawMessage `json:"definition"`
	DefinitionDigest string          `json:"definitionDigest"`
}

// DecodeProviderCatalog reads what [EncodeProviderCatalog] writes. Blanks between the tokens don't matter; everything else
// does: names are known, exact and there once, no null stands for a value, nothing follows the document, entries are sorted,
// each definition is in canonical form and has the digest that stands beside it. The rules of EncodeProviderCatalog hold.
// Errors wrap [ErrInvalidCatalog]; those of one definition are [*PluginError] values of phase validate, too.
//
// Safe for concurrent use.
func DecodeProviderCatalog(data []byte) (ProviderCatalogDocument, error) {
	if len(data) > maxCatalogLength {
		return refuseCatalog("", "%d bytes, at most %d are allowed", len(data), maxCatalogLength)
	}
	var raw rawCatalog
	if err := strictjson.Decode(data, &raw); err != nil {
		return refuseCatalog("", "%w", err)
	}
	if raw.Schema != ProviderCatalogSchemaURI {
		return refuseCatalog("$schema", "%s is not %q", shown(raw.Schema), ProviderCatalogSchemaURI)
	}
	// Before the entries are read: reading costs more than counting.
	if n := len(raw.Providers); n > maxCatalogProviders {
		return refuseCatalog("providers", "%d entries, 1 to %d are allowed", n, maxCatalogProviders)
	}
	document := ProviderCatalogDocument{Schema: raw.Schema}
	for i, entry := range raw.Providers {
		definition, err := decodeEntry(entry)
		if err != nil {
			return refuseCatalog(fmt.Sprintf("providers[%d]", i), "%w", err)
		}
		document.Providers = append(document.Providers,
			ProviderCatalogEntry{entry.ImportPath, definition, entry.DefinitionDigest})
	}
	if err := checkCatalog(document); err != nil {
		return ProviderCatalogDocument{}, err
	}
	return document, nil
}

func refuseCatalog(path, format string, args ...any) (ProviderCatalogDocument, error) {
	return ProviderCatalogDocument{}, invalidCatalog(path, format, args...)
}

// decodeEntry reads one definition and makes sure that its text is the canonical one and its digest the right one.
func decodeEntry(entry rawEntry) (PluginDefinition, error) {
	var given PluginDefinition
	if err := strictjson.Decode(entry.Definition, &given); err != nil {
		return PluginDefinition{}, fmt.Errorf("definition: %w", err)
	}
	canonical, err := CanonicalPluginDefinition(given)
	if err != nil {
		return PluginDefinition{}, err
	}
	want, err := json.Marshal(canonical)
	if err != nil {
		return PluginDefinition{}, pluginError(given.ID, PluginPhaseValidate, at("definition", err))
	}
	// Marshalling the text itself takes the blanks out and escapes HTML, and changes nothing else.
	got, err := json.Marshal(entry.Definition)
	if err != nil || !bytes.Equal(got, want) {
		return PluginDefinition{}, entryError(given.ID, "definition", "not in canonical form")
	}
	sum, err := digest(canonical)
	if err != nil {
		return PluginDefinition{}, err
	}
	if sum != entry.DefinitionDigest {
		return PluginDefinition{}, entryError(given.ID, "definitionDigest",
			"%s, the definition has %s", shown(entry.DefinitionDigest), sum)
	}
	return canonical, nil
}

func entryError(id, path, format string, args ...any) error {
	return pluginError(id, PluginPhaseValidate, &fault{path, fmt.Errorf(format, args...)})
}
