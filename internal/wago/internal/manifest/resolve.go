package manifest

import (
	"fmt"
	"slices"
	"strings"
)

// Resolve holds selections against the linked definitions and finds the activation order. It runs no plugin code. The order
// of either argument is irrelevant: checks go through IDs in lexical order, so the same set always gives the same outcome.
// Definitions nobody selects stay inert; no selection at all is a valid, empty resolution.
//
// The checks, in this order; the first that fails ends it with a [*PluginError]:
//
//  1. Definitions have unique IDs and keep the rules of [DefinitionDigest].
//     Phase validate, [ErrInvalidDefinition].
//  2. Each selection is there once, its definition is linked ([ErrUnresolved]) and has the selected digest, Config is JSON if
//     it isn't empty, the grants are valid (3), the host's [Version] is in Engines["wago"] ([ErrIncompatible]), and
//     Dependencies repeats Requires word for word. Phase validate for Config, else resolve; [ErrInvalidSelection].
//  3. Each grant is known, there once, requested, of the right shape, and no wider than its request. Phase authorize;
//     [ErrPermissionDenied] for one that was not requested or is wider, else [ErrInvalidSelection]. That a requested authority
//     is not granted is no error here: the plugin hears of it when it registers.
//  4. Each required plugin is linked, selected ([ErrUnresolved]) and of a version in the range ([ErrIncompatible]).
//  5. Each consumed contract has its binding and no other contract has one. Providers are linked, selected
//     ([ErrUnresolved]), provide that contract and occur once; there are as many as the mode says: one, none or one, all
//     that are selected. [ErrInvalidSelection].
//  6. Each selection is direct or needed, through requirements or bindings, by one that is. [ErrInvalidSelection].
//  7. No plugin needs itself, however indirectly. [ErrDependencyCycle]. Among those that could start next, the lexically
//     first one does.
//
// Checks 4 to 7 are of phase resolve.
//
// Safe for concurrent use.
func Resolve(definitions []PluginDefinition, selections []PluginSelection) (*Resolution, error) {
	r := resolver{linked: map[string]*link{}, chosen: map[string]*choice{}}
	if err := r.link(definitions); err != nil {
		return nil, err
	}
	if err := r.choose(selections); err != nil {
		return nil, err
	}
	for _, check := range []func(*choice) error{r.checkRequirements, r.checkContracts} {
		for _, id := range r.order {
			if err := check(r.chosen[id]); err != nil {
				return nil, pluginError(id, PluginPhaseResolve, err)
			}
		}
	}
	if err := r.checkReachable(); err != nil {
		return nil, err
	}
	if err := r.sort(); err != nil {
		return nil, err
	}
	return r.resolution(), nil
}

// resolver is the state of one Resolve.
type resolver struct {
	linked map[string]*link
	chosen map[string]*choice
	order  []string // chosen IDs: in lexical order until sort, in activation order after it
}

// link is a definition that could be selected.
type link struct {
	definition PluginDefinition
	digest     string
	index      int
}

// choice is a selection with its definition and what it turned out to need.
type choice struct {
	*link
	selection PluginSelection
	bindings  []ContractBinding // in the order of Consumes
	needs     map[string]bool   // IDs that have to start first
}

// link is check 1.
func (r *resolver) link(definitions []PluginDefinition) error {
	order := byID(definitions, func(d PluginDefinition) string { return d.ID })
	for at, index := range order {
		d := definitions[index]
		if at+1 < len(order) && definitions[order[at+1]].ID == d.ID { // before either is looked at, since they have no order
			return pluginError(d.ID, PluginPhaseValidate, broken("id", "linked twice"))
		}
		sum, err := DefinitionDigest(d)
		if err != nil {
			return err
		}
		r.linked[d.ID] = &link{CloneDefinition(d), sum, index}
	}
	return nil
}

// choose is checks 2 and 3.
func (r *resolver) choose(selections []PluginSelection) error {
	order := byID(selections, func(s PluginSelection) string { return s.ID })
	for at, index := range order {
		s := selections[index]
		if at+1 < len(order) && selections[order[at+1]].ID == s.ID { // as above
			return pluginError(s.ID, PluginPhaseResolve, mismatch("id", "selected twice"))
		}
		linked := r.linked[s.ID]
		if linked == nil {
			return pluginError(s.ID, PluginPhaseResolve, failed(ErrUnresolved, "id", "not linked"))
		}
		if err := checkSelection(linked, &s); err != nil {
			return err
		}
		r.chosen[s.ID] = &choice{link: linked, selection: cloneSelection(s), needs: map[string]bool{}}
		r.order = append(r.order, s.ID)
	}
	return nil
}

// resolution copies once more, so that no two parts of the result share memory.
func (r *resolver) resolution() *Resolution {
	out := &Resolution{Entries: make([]Entry, 0, len(r.order))}
	for _, id := range r.order {
		c := r.chosen[id]
		out.Entries = append(out.Entries, Entry{
			Provider:   c.index,
			Definition: c.definition,
			Digest:     c.digest,
			Selection:  c.selection,
			Bindings:   cloneBindings(c.bindings),
			Grants:     cloneGrants(c.selection.Grants),
		})
	}
	return out
}

// byID gives the indices of a list in the lexical order of its IDs.
func byID[T any](list []T, id func(T) string) []int {
	indices := make([]int, len(list))
	for i := range indices {
		indices[i] = i
	}
	slices.SortFunc(indices, func(a, b int) int { return strings.Compare(id(list[a]), id(list[b])) })
	return indices
}

// failed places the reason why a selection or the plan is refused.
func failed(sentinel Error, path, format string, args ...any) error {
	return &fault{path, fmt.Errorf("%w: %w", sentinel, fmt.Errorf(format, args...))}
}

// mismatch is failed for a selection that doesn't fit its definition.
func mismatch(path, format string, args ...any) error {
	return failed(ErrInvalidSelection, path, format, args...)
}
