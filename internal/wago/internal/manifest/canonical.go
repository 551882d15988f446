package manifest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// CanonicalPluginDefinition returns the one form of a definition: lists without an order of their own sorted, empty ones nil,
// the configuration schema with sorted names and without blanks. Two definitions that say the same have equal canonical
// forms. The argument is not changed and shares no memory with the result. Errors are those of [DefinitionDigest].
//
// Safe for concurrent use.
func CanonicalPluginDefinition(d PluginDefinition) (PluginDefinition, error) {
	if err := validate(&d); err != nil {
		return PluginDefinition{}, err
	}
	c := CloneDefinition(d)
	schema, err := canonicalSchema(c.ConfigSchema)
	if err != nil {
		return PluginDefinition{}, pluginError(d.ID, PluginPhaseValidate, broken("configSchema", "%w", err))
	}
	c.ConfigSchema = schema
	sortLists(&c)
	dropEmpty(&c)
	return c, nil
}

// DefinitionDigest returns the identity of a definition: "sha256:" and the 64 lower-case hexadecimal digits of the SHA-256 of
// the canonical form's JSON (encoding/json, with its HTML escapes).
//
// A definition that breaks a rule has no digest: the error is a [*PluginError] of phase validate that names the field, and
// wraps [ErrInvalidDefinition]. Every text has to be UTF-8. The rules, lengths in bytes:
//
//   - ID (and every other plugin or contract ID): at most 300; a host with a dot, then one or more /segments.
//   - Name at most 100, Description at most 500. Version: a full semantic version, a lower-case v may stand in front.
//   - Stability: empty or one of the constants.
//   - Engines: at most 64, lower-case slugs of at most 64, with a version range. Platforms: at most 128, os/arch, unique.
//   - Repository: an https URL without user, fragment, white space or backslash. Homepage: the same or empty, a fragment may
//     follow. License not blank. Authors: at most 64 of at most 200.
//   - Requires: at most 128, unique, not the plugin itself, with a version range.
//   - Authorities: at most 64, known, unique, with a mode, a reason that is not blank (at most 500) and the scope that belongs
//     to the authority. Modules: 1 to 128, unique, of at most 200, exact: no blanks around, no *, NUL, CR or LF.
//   - ConfigSchema: at most 256 KiB, as given and in canonical form; at most 1000 levels; an object without repeated names in
//     which "type" is "object", "additionalProperties" is false and "$schema", if there is one, is draft 2020-12.
//   - Provides, Consumes: at most 128, unique by ID and major; major at least 1; Consumes with a mode.
//
// Safe for concurrent use.
func DefinitionDigest(d PluginDefinition) (string, error) {
	canonical, err := CanonicalPluginDefinition(d)
	if err != nil {
		return "", err
	}
	return digest(canonical)
}

// digest hashes a definition that is canonical already.
func digest(canonical PluginDefinition) (string, error) {
	text, err := json.Marshal(canonical)
	if err != nil {
		return "", pluginError(canonical.ID, PluginPhaseValidate, err)
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

func sortLists(d *PluginDefinition) {
	slices.Sort(d.Compatibility.Platforms)
	slices.Sort(d.Provenance.Authors)
	slices.SortFunc(d.Requires, func(a, b PluginRequirement) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Version, b.Version))
	})
	slices.SortFunc(d.Authorities, func(a, b AuthorityRequest) int { return cmp.Compare(a.Name, b.Name) })
	for i := range d.Authorities {
		slices.Sort(d.Authorities[i].Scope.Modules)
	}
	slices.SortFunc(d.Provides, func(a, b ContractSpec) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), cmp.Compare(a.Major, b.Major))
	})
	slices.SortFunc(d.Consumes, func(a, b ContractRequirement) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), cmp.Compare(a.Major, b.Major), cmp.Compare(a.Mode, b.Mode))
	})
}

// dropEmpty makes what JSON leaves out equal in Go as well.
func dropEmpty(d *PluginDefinition) {
	if len(d.Compatibility.Engines) == 0 {
		d.Compatibility.Engines = nil
	}
	d.Compatibility.Platforms = nonEmpty(d.Compatibility.Platforms)
	d.Provenance.Authors = nonEmpty(d.Provenance.Authors)
	d.Requires = nonEmpty(d.Requires)
	d.Authorities = nonEmpty(d.Authorities)
	for i := range d.Authorities {
		d.Authorities[i].Scope.Modules = nonEmpty(d.Authorities[i].Scope.Modules)
	}
	d.Provides = nonEmpty(d.Provides)
	d.Consumes = nonEmpty(d.Consumes)
}

func nonEmpty[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
