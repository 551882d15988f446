package manifest

import (
	"fmt"

	"github.com/wago-org/wago/internal/semrange"
)

// at places the reason why a field of a definition is refused; nil stays nil.
func at(path string, reason error) error {
	if reason == nil {
		return nil
	}
	return &fault{path, fmt.Errorf("%w: %w", ErrInvalidDefinition, reason)}
}

// broken is at with a reason made on the spot.
func broken(path, format string, args ...any) error {
	return at(path, fmt.Errorf(format, args...))
}

// validate holds a definition against the rules of its fields, in the order of the fields.
func validate(d *PluginDefinition) error {
	checks := []func(*PluginDefinition) error{
		checkIdentity, checkCompatibility, checkProvenance, checkRequires, checkAuthorities, checkSchema, checkProvides,
		checkConsumes,
	}
	for _, check := range checks {
		if err := check(d); err != nil {
			return pluginError(d.ID, PluginPhaseValidate, err)
		}
	}
	return nil
}

func checkIdentity(d *PluginDefinition) error {
	if err := at("id", checkID(d.ID)); err != nil {
		return err
	}
	if err := at("name", checkText(d.Name, maxNameLength)); err != nil {
		return err
	}
	if _, err := semrange.ParseVersion(d.Version); err != nil {
		return broken("version", "%w", err)
	}
	if err := at("description", checkText(d.Description, maxDescriptionLength)); err != nil {
		return err
	}
	switch d.Stability {
	case "", Experimental, Stable, Deprecated:
		return nil
	default:
		return broken("stability", "%s is not a stability", shown(string(d.Stability)))
	}
}

func checkRequires(d *PluginDefinition) error {
	if err := at("requires", checkCount(len(d.Requires), maxRequires)); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, r := range d.Requires {
		path := fmt.Sprintf("requires[%d]", i)
		if err := at(path+".id", checkID(r.ID)); err != nil {
			return err
		}
		if r.ID == d.ID {
			return broken(path+".id", "%s requires itself", shown(r.ID))
		}
		if seen[r.ID] {
			return broken(path+".id", "%s occurs twice", shown(r.ID))
		}
		seen[r.ID] = true
		if _, err := semrange.Parse(r.Version); err != nil {
			return broken(path+".version", "%w", err)
		}
	}
	return nil
}
