package manifest

import "fmt"

func checkProvides(d *PluginDefinition) error {
	if err := at("provides", checkCount(len(d.Provides), maxProvides)); err != nil {
		return err
	}
	seen := map[ContractSpec]bool{}
	for i, spec := range d.Provides {
		if err := checkSpec(fmt.Sprintf("provides[%d]", i), spec, seen); err != nil {
			return err
		}
	}
	return nil
}

func checkConsumes(d *PluginDefinition) error {
	if err := at("consumes", checkCount(len(d.Consumes), maxConsumes)); err != nil {
		return err
	}
	seen := map[ContractSpec]bool{}
	for i, c := range d.Consumes {
		path := fmt.Sprintf("consumes[%d]", i)
		if err := checkSpec(path, ContractSpec{c.ID, c.Major}, seen); err != nil {
			return err
		}
		switch c.Mode {
		case ContractRequired, ContractOptional, ContractMany:
		default:
			return broken(path+".mode", "%s is not a mode", shown(string(c.Mode)))
		}
	}
	return nil
}

func checkSpec(path string, spec ContractSpec, seen map[ContractSpec]bool) error {
	if err := at(path+".id", checkID(spec.ID)); err != nil {
		return err
	}
	if spec.Major == 0 {
		return broken(path+".major", "0, at least 1 is needed")
	}
	if seen[spec] {
		return broken(path, "%s %d occurs twice", shown(spec.ID), spec.Major)
	}
	seen[spec] = true
	return nil
}
