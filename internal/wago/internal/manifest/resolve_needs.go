package manifest

import (
	"fmt"
	"slices"
)

// checkRequirements is check 4 for one plugin.
func (r *resolver) checkRequirements(c *choice) error {
	for i, requirement := range c.definition.Requires {
		path := fmt.Sprintf("requires[%d]", i)
		if err := r.checkSelected(path, requirement.ID); err != nil {
			return err
		}
		version := r.linked[requirement.ID].definition.Version
		in, err := inRange(version, requirement.Version)
		if err != nil {
			return err
		}
		if !in {
			return failed(ErrIncompatible, path, "%s has version %s, which is not in %s",
				requirement.ID, version, shown(requirement.Version))
		}
		c.needs[requirement.ID] = true
	}
	return nil
}

// checkSelected makes sure that a plugin somebody names takes part.
func (r *resolver) checkSelected(path, id string) error {
	switch {
	case r.linked[id] == nil:
		return failed(ErrUnresolved, path, "%s is not linked", shown(id))
	case r.chosen[id] == nil:
		return failed(ErrUnresolved, path, "%s is not selected", id)
	}
	return nil
}

// checkContracts is check 5 for one plugin.
func (r *resolver) checkContracts(c *choice) error {
	given, err := indexBindings(c.selection.Contracts)
	if err != nil {
		return err
	}
	for _, requirement := range c.definition.Consumes {
		spec := ContractSpec{requirement.ID, requirement.Major}
		i, bound := given[spec]
		if !bound {
			return mismatch("contracts", "no binding for %s %d", spec.ID, spec.Major)
		}
		delete(given, spec)
		binding := c.selection.Contracts[i]
		path := fmt.Sprintf("contracts[%d].providers", i)
		if err := r.checkProviders(path, spec, binding.Providers); err != nil {
			return err
		}
		if err := r.checkNumber(path, requirement, len(binding.Providers)); err != nil {
			return err
		}
		for _, provider := range binding.Providers {
			c.needs[provider] = true
		}
		c.bindings = append(c.bindings, binding)
	}
	return leftOver(given)
}

// indexBindings finds the binding of each contract.
func indexBindings(bindings []ContractBinding) (map[ContractSpec]int, error) {
	index := map[ContractSpec]int{}
	for i, b := range bindings {
		spec := ContractSpec{b.ID, b.Major}
		if _, again := index[spec]; again {
			return nil, mismatch(fmt.Sprintf("contracts[%d]", i), "%s %d is bound twice", shown(b.ID), b.Major)
		}
		index[spec] = i
	}
	return index, nil
}

// leftOver refuses the first binding that belongs to no requirement.
func leftOver(bindings map[ContractSpec]int) error {
	first := -1
	var extra ContractSpec
	for spec, i := range bindings {
		if first < 0 || i < first {
			first, extra = i, spec
		}
	}
	if first < 0 {
		return nil
	}
	return mismatch(fmt.Sprintf("contracts[%d]", first), "%s %d is not consumed", shown(extra.ID), extra.Major)
}

// checkProviders makes sure that each named plugin can be what the binding says.
func (r *resolver) checkProviders(path string, spec ContractSpec, providers []string) error {
	seen := map[string]bool{}
	for i, id := range providers {
		path := fmt.Sprintf("%s[%d]", path, i)
		if err := r.checkSelected(path, id); err != nil {
			return err
		}
		if !slices.Contains(r.linked[id].definition.Provides, spec) {
			return mismatch(path, "%s does not provide %s %d", id, spec.ID, spec.Major)
		}
		if seen[id] {
			return mismatch(path, "%s occurs twice", id)
		}
		seen[id] = true
	}
	return nil
}

// checkNumber holds the number of bound providers against the mode. They are known to be different and selected, so for many
// it is enough to count.
func (r *resolver) checkNumber(path string, requirement ContractRequirement, bound int) error {
	switch requirement.Mode {
	case ContractRequired:
		if bound != 1 {
			return mismatch(path, "%d providers, exactly 1 is needed", bound)
		}
	case ContractOptional:
		if bound > 1 {
			return mismatch(path, "%d providers, at most 1 is allowed", bound)
		}
	case ContractMany:
		spec := ContractSpec{requirement.ID, requirement.Major}
		selected := 0
		for _, c := range r.chosen {
			if slices.Contains(c.definition.Provides, spec) {
				selected++
			}
		}
		if bound != selected {
			return mismatch(path, "%d providers, all %d selected ones are needed", bound, selected)
		}
	}
	return nil
}
