package wago_test

import (
	"encoding/json"
	"slices"

	"github.com/wago-org/wago"
)

// choices are the bytes of a fuzzer, each of which is a choice. What is beyond their end is the first choice, which is the
// plainest.
type choices []byte

func (c *choices) below(n int) int {
	if len(*c) == 0 {
		return 0
	}
	choice := int((*c)[0]) % n
	*c = (*c)[1:]
	return choice
}

func (c *choices) one(in int) bool { return c.below(in) == in-1 }

// seldom is another than the first for n-1 of so many choices.
func (c *choices) seldom(n, of int) int { return max(0, c.below(of)-(of-n)) }

// ranges are ranges with those of the versions that are in them, by npm's rules.
var (
	versions = []string{"1.0.0", "v1.2.3", "0.1.0", "2.0.0-rc.1", "2.0.0"}
	ranges   = []struct {
		text string
		in   []string
	}{
		{"*", []string{"1.0.0", "v1.2.3", "0.1.0", "2.0.0"}},
		{"^1.0.0", []string{"1.0.0", "v1.2.3"}},
		{">=0.1.0", []string{"1.0.0", "v1.2.3", "0.1.0", "2.0.0"}},
		{"<2", []string{"1.0.0", "v1.2.3", "0.1.0"}},
		{"~1.2", []string{"v1.2.3"}},
		{">=1.1.0 <2.0.0 || 0.1.0", []string{"v1.2.3", "0.1.0"}},
		{">2.0.0-alpha", []string{"2.0.0-rc.1", "2.0.0"}},
		{"1.0.0 - 2.0.0-rc.1", []string{"1.0.0", "v1.2.3", "2.0.0-rc.1"}},
		{">*", nil},
	}
	hostRanges = map[string]bool{">=0.1.0": true, "0.1.x": true, "^0.1.1": false, "0.1.0-rc": false}
)

const stranger = "e.com/stranger" // is not linked

var (
	worldIDs   = []string{"e.com/d", "e.com/a", "e.com/f", "e.com/c", "e.com/b", "e.com/e"}
	worldSpecs = []wago.ContractSpec{{ID: "e.com/svc", Major: 1}, {ID: "e.com/svc", Major: 2}, {ID: "e.com/other", Major: 1}}
	worldModes = []wago.ContractMode{"", wago.ContractOptional, wago.ContractMany, wago.ContractRequired}
)

// world is definitions and the operator's answers to them, most of which fit.
type world struct {
	definitions []wago.PluginDefinition
	selections  []wago.PluginSelection
}

func newWorld(c *choices) *world {
	w := new(world)
	ids := worldIDs[:1+c.below(len(worldIDs))]
	for i, id := range ids {
		w.definitions = append(w.definitions, w.definition(c, id, ids[:i]))
	}
	for _, d := range w.definitions {
		w.selections = append(w.selections, w.selection(c, d))
	}
	for range c.seldom(3, 6) {
		w.spoil(c)
	}
	return w
}

func (w *world) definition(c *choices, id string, before []string) wago.PluginDefinition {
	d := bare(id)
	d.Version = versions[c.seldom(len(versions), 12)]
	for range c.below(3) {
		if need := another(c, before, d.Requires); need != "" {
			d.Requires = append(d.Requires, wago.PluginRequirement{ID: need, Version: ranges[c.seldom(len(ranges), 16)].text})
		}
	}
	for _, spec := range worldSpecs {
		mode := worldModes[c.below(len(worldModes))]
		if mode != "" && (mode != wago.ContractRequired || len(w.providers(spec)) > 0 || c.one(8)) {
			d.Consumes = append(d.Consumes, wago.ContractRequirement{ID: spec.ID, Major: spec.Major, Mode: mode})
		}
		if mode == "" && c.one(2) || c.one(16) {
			d.Provides = append(d.Provides, spec)
		}
	}
	if c.one(2) {
		d.Authorities = []wago.AuthorityRequest{{
			Name: wago.AuthorityHostCallerIdentify, Mode: wago.AuthorityOptional, Reason: "to know them",
		}}
	}
	if c.one(4) {
		d.Compatibility.Engines = map[string]string{"wago": []string{">=0.1.0", "0.1.x", "^0.1.1", "0.1.0-rc"}[c.seldom(4, 8)]}
	}
	return d
}

// another chooses a plugin to require: mostly one that was made before and is not required yet.
func another(c *choices, before []string, required []wago.PluginRequirement) string {
	if c.one(16) {
		before = append(slices.Clone(worldIDs), stranger)
	} else {
		before = slices.DeleteFunc(slices.Clone(before), func(id string) bool {
			return slices.ContainsFunc(required, func(r wago.PluginRequirement) bool { return r.ID == id })
		})
	}
	if len(before) == 0 {
		return ""
	}
	return before[c.below(len(before))]
}

// selection fits the definition, as far as anything does.
func (w *world) selection(c *choices, d wago.PluginDefinition) wago.PluginSelection {
	sum, _ := wago.DefinitionDigest(d) // an invalid one has none
	s := wago.PluginSelection{ID: d.ID, DefinitionDigest: sum, Direct: !c.one(6), Dependencies: make(map[string]string)}
	for _, need := range d.Requires {
		s.Dependencies[need.ID] = need.Version
	}
	for _, ask := range d.Authorities {
		s.Grants = append(s.Grants, wago.AuthorityGrant{Name: ask.Name})
	}
	for _, need := range d.Consumes {
		providers := w.providers(wago.ContractSpec{ID: need.ID, Major: need.Major})
		if len(providers) > 0 && need.Mode != wago.ContractMany {
			providers = providers[c.seldom(len(providers), 8):][:1]
		}
		s.Contracts = append(s.Contracts, wago.ContractBinding{ID: need.ID, Major: need.Major, Providers: providers})
	}
	return s
}

// providers are those that offer a contract, in the order in which they were made.
func (w *world) providers(spec wago.ContractSpec) (ids []string) {
	for _, d := range w.definitions {
		if slices.Contains(d.Provides, spec) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// spoil makes one mistake.
func (w *world) spoil(c *choices) {
	i := c.below(len(worldIDs))
	if i >= len(w.selections) || i >= len(w.definitions) {
		return
	}
	d, s := &w.definitions[i], &w.selections[i]
	switch c.below(13) {
	case 0:
		w.spoilBinding(c, s)
	case 1:
		w.definitions = slices.Delete(w.definitions, i, i+1)
	case 2:
		w.selections = slices.Delete(w.selections, i, i+1)
	case 3:
		w.definitions = append(w.definitions, *d)
	case 4:
		w.selections = append(w.selections, *s)
	case 5:
		d.Description = "changed since it was approved"
	case 6:
		s.Config = json.RawMessage([]string{"{", "{}", " null ", "{} {}"}[c.below(4)])
	case 7:
		s.Grants = append(s.Grants, wago.AuthorityGrant{Name: wago.AuthorityHostCallerIdentify})
	case 8:
		s.Dependencies[worldIDs[c.below(len(worldIDs))]] = "*"
	case 9:
		s.Grants = nil
	case 10:
		s.Contracts = append(s.Contracts, wago.ContractBinding{ID: worldSpecs[c.below(3)].ID, Major: 1})
	case 11:
		w.spoilBinding(c, s)
	case 12:
		s.Direct = !s.Direct
	}
}

func (w *world) spoilBinding(c *choices, s *wago.PluginSelection) {
	if len(s.Contracts) == 0 {
		return
	}
	i := c.below(len(s.Contracts))
	b := &s.Contracts[i]
	switch c.below(4) {
	case 0:
		s.Contracts = slices.Delete(s.Contracts, i, i+1)
	case 1:
		b.Providers = append(slices.Clone(b.Providers), append(slices.Clone(worldIDs), stranger)[c.below(len(worldIDs)+1)])
	case 2:
		b.Providers = b.Providers[:len(b.Providers)/2]
	case 3:
		b.Major++
	}
}
