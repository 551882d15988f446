package wago_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/wago-org/wago"
)

// planRefusal is how a set is refused.
type planRefusal struct {
	plugin string
	phase  wago.PluginPhase
	err    error
}

// planModel is the numbered checks of the resolver's documentation, each in its plainest form, over a world.
type planModel struct {
	linked map[string]wago.PluginDefinition
	chosen map[string]wago.PluginSelection
	needs  map[string][]string
}

// modelPlan returns the activation order, or the refusal. A circle's is of any plugin that is part of one.
func modelPlan(w *world) ([]string, *planRefusal) {
	m := &planModel{
		linked: make(map[string]wago.PluginDefinition), chosen: make(map[string]wago.PluginSelection), needs: make(map[string][]string),
	}
	if r := m.checkDefinitions(w.definitions); r != nil {
		return nil, r
	}
	if r := m.checkSelections(w.selections); r != nil {
		return nil, r
	}
	for _, check := range []func(wago.PluginDefinition, wago.PluginSelection) error{m.checkRequires, m.checkContracts} {
		for _, id := range m.ids() {
			if err := check(m.linked[id], m.chosen[id]); err != nil {
				return nil, &planRefusal{id, wago.PluginPhaseResolve, err}
			}
		}
	}
	for _, id := range m.ids() {
		if !slices.ContainsFunc(m.ids(), func(from string) bool {
			return m.chosen[from].Direct && (from == id || m.reaches(from, id, nil))
		}) {
			return nil, &planRefusal{id, wago.PluginPhaseResolve, wago.ErrInvalidSelection}
		}
	}
	order := m.order()
	if len(order) < len(m.chosen) {
		return nil, &planRefusal{"", wago.PluginPhaseResolve, wago.ErrDependencyCycle}
	}
	return order, nil
}

// ids are the chosen ones in lexical order.
func (m *planModel) ids() (ids []string) {
	for id := range m.chosen {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (m *planModel) checkDefinitions(all []wago.PluginDefinition) *planRefusal {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b wago.PluginDefinition) int { return strings.Compare(a.ID, b.ID) })
	for _, d := range all {
		_, again := m.linked[d.ID]
		seen := map[string]bool{d.ID: true}
		for _, need := range d.Requires {
			again = again || seen[need.ID]
			seen[need.ID] = true
		}
		if again {
			return &planRefusal{d.ID, wago.PluginPhaseValidate, wago.ErrInvalidDefinition}
		}
		m.linked[d.ID] = d
	}
	return nil
}

func (m *planModel) checkSelections(all []wago.PluginSelection) *planRefusal {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b wago.PluginSelection) int { return strings.Compare(a.ID, b.ID) })
	for _, s := range all {
		d, linked := m.linked[s.ID]
		twice := 0
		for _, other := range all {
			if other.ID == s.ID {
				twice++
			}
		}
		switch {
		case twice > 1:
			return &planRefusal{s.ID, wago.PluginPhaseResolve, wago.ErrInvalidSelection}
		case !linked:
			return &planRefusal{s.ID, wago.PluginPhaseResolve, wago.ErrUnresolved}
		case d.Description != "": // the digest is that of the definition without
			return &planRefusal{s.ID, wago.PluginPhaseResolve, wago.ErrInvalidSelection}
		case s.Config != nil && json.Unmarshal(s.Config, new(any)) != nil:
			return &planRefusal{s.ID, wago.PluginPhaseValidate, wago.ErrInvalidSelection}
		case len(s.Grants) > 0 && len(d.Authorities) == 0:
			return &planRefusal{s.ID, wago.PluginPhaseAuthorize, wago.ErrPermissionDenied}
		case len(s.Grants) > 1:
			return &planRefusal{s.ID, wago.PluginPhaseAuthorize, wago.ErrInvalidSelection}
		}
		if host, given := d.Compatibility.Engines["wago"]; given && !hostRanges[host] {
			return &planRefusal{s.ID, wago.PluginPhaseResolve, wago.ErrIncompatible}
		}
		if !sameDependencies(d, s) {
			return &planRefusal{s.ID, wago.PluginPhaseResolve, wago.ErrInvalidSelection}
		}
		m.chosen[s.ID] = s
	}
	return nil
}

func sameDependencies(d wago.PluginDefinition, s wago.PluginSelection) bool {
	same := len(d.Requires) == len(s.Dependencies)
	for _, need := range d.Requires {
		same = same && s.Dependencies[need.ID] == need.Version
	}
	return same
}

func (m *planModel) checkRequires(d wago.PluginDefinition, _ wago.PluginSelection) error {
	for _, need := range d.Requires {
		if _, ok := m.chosen[need.ID]; !ok {
			return wago.ErrUnresolved
		}
		for _, r := range ranges {
			if r.text == need.Version && !slices.Contains(r.in, m.linked[need.ID].Version) {
				return wago.ErrIncompatible
			}
		}
		m.needs[d.ID] = append(m.needs[d.ID], need.ID)
	}
	return nil
}

func (m *planModel) checkContracts(d wago.PluginDefinition, s wago.PluginSelection) error {
	bound := make(map[wago.ContractSpec][]string)
	for _, b := range s.Contracts {
		spec := wago.ContractSpec{ID: b.ID, Major: b.Major}
		if _, again := bound[spec]; again {
			return wago.ErrInvalidSelection
		}
		bound[spec] = b.Providers
	}
	for _, need := range d.Consumes {
		spec := wago.ContractSpec{ID: need.ID, Major: need.Major}
		providers, ok := bound[spec]
		if !ok {
			return wago.ErrInvalidSelection
		}
		if err := m.checkProviders(spec, need.Mode, providers); err != nil {
			return err
		}
		m.needs[d.ID] = append(m.needs[d.ID], providers...)
	}
	if len(bound) > len(d.Consumes) {
		return wago.ErrInvalidSelection
	}
	return nil
}

func (m *planModel) checkProviders(spec wago.ContractSpec, mode wago.ContractMode, providers []string) error {
	offering := 0
	for _, id := range m.ids() {
		if slices.Contains(m.linked[id].Provides, spec) {
			offering++
		}
	}
	for i, id := range providers {
		if _, ok := m.chosen[id]; !ok {
			return wago.ErrUnresolved
		}
		if !slices.Contains(m.linked[id].Provides, spec) || slices.Contains(providers[:i], id) {
			return wago.ErrInvalidSelection
		}
	}
	n := len(providers)
	if mode == wago.ContractRequired && n != 1 || mode == wago.ContractOptional && n > 1 || mode == wago.ContractMany && n != offering {
		return wago.ErrInvalidSelection
	}
	return nil
}

// reaches reports whether a plugin needs another, however indirectly.
func (m *planModel) reaches(from, to string, way []string) bool {
	return slices.ContainsFunc(m.needs[from], func(need string) bool {
		return need == to || !slices.Contains(way, need) && m.reaches(need, to, append(way, need))
	})
}

// order places, again and again, the first all of whose needs have been placed.
func (m *planModel) order() (placed []string) {
	for range m.chosen {
		for _, id := range m.ids() {
			missing := func(need string) bool { return !slices.Contains(placed, need) }
			if !slices.Contains(placed, id) && !slices.ContainsFunc(m.needs[id], missing) {
				placed = append(placed, id)
				break
			}
		}
	}
	return placed
}
