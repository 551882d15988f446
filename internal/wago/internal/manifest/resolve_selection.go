package manifest

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/wago-org/wago/internal/semrange"
)

// checkSelection is what check 2 says about one selection whose definition is linked.
func checkSelection(linked *link, s *PluginSelection) error {
	if s.DefinitionDigest != linked.digest {
		return pluginError(s.ID, PluginPhaseResolve, mismatch("definitionDigest",
			"selected is %s, linked is %s", shown(s.DefinitionDigest), linked.digest))
	}
	if len(s.Config) > 0 && !json.Valid(s.Config) {
		return pluginError(s.ID, PluginPhaseValidate, mismatch("config", "not JSON: %s", shown(string(s.Config))))
	}
	if err := checkGrants(linked.definition.Authorities, s); err != nil {
		return err
	}
	if err := checkHost(linked.definition.Compatibility.Engines); err != nil {
		return pluginError(s.ID, PluginPhaseResolve, err)
	}
	if err := checkDependencies(linked.definition.Requires, s.Dependencies); err != nil {
		return pluginError(s.ID, PluginPhaseResolve, err)
	}
	return nil
}

// checkHost makes sure that the plugin was made for this host.
func checkHost(engines map[string]string) error {
	wanted, given := engines["wago"]
	if !given {
		return nil
	}
	in, err := inRange(Version, wanted)
	if err != nil {
		return err
	}
	if !in {
		return failed(ErrIncompatible, "compatibility.engines.wago", "host version %s is not in %s", Version, shown(wanted))
	}
	return nil
}

// inRange holds a version against a range; both were parsed before, as part of a definition.
func inRange(version, wanted string) (bool, error) {
	v, err := semrange.ParseVersion(version)
	if err != nil {
		return false, err
	}
	r, err := semrange.Parse(wanted)
	if err != nil {
		return false, err
	}
	return r.Contains(v), nil
}

// checkDependencies makes sure that the operator approved the very ranges the author wrote.
func checkDependencies(requires []PluginRequirement, dependencies map[string]string) error {
	const path = "dependencies"
	for _, r := range requires {
		approved, given := dependencies[r.ID]
		if !given {
			return mismatch(path, "%s is missing", shown(r.ID))
		}
		if approved != r.Version {
			return mismatch(path, "%s is selected with %s and required with %s", shown(r.ID), shown(approved), shown(r.Version))
		}
	}
	if len(dependencies) != len(requires) {
		return mismatch(path, "%d entries, the definition requires %d", len(dependencies), len(requires))
	}
	return nil
}

// checkGrants is check 3.
func checkGrants(requests []AuthorityRequest, s *PluginSelection) error {
	seen := map[Authority]bool{}
	for i, grant := range s.Grants {
		err := checkGrant(fmt.Sprintf("grants[%d]", i), requests, grant, seen[grant.Name])
		if err != nil {
			refusal := pluginError(s.ID, PluginPhaseAuthorize, err)
			refusal.Authority = grant.Name
			return refusal
		}
		seen[grant.Name] = true
	}
	return nil
}

func checkGrant(path string, requests []AuthorityRequest, grant AuthorityGrant, again bool) error {
	want, known := shapeOf(grant.Name)
	if !known {
		return mismatch(path+".name", "%s is not an authority", shown(string(grant.Name)))
	}
	if again {
		return mismatch(path+".name", "granted twice")
	}
	i := slices.IndexFunc(requests, func(r AuthorityRequest) bool { return r.Name == grant.Name })
	if i < 0 {
		return failed(ErrPermissionDenied, path+".name", "not requested")
	}
	if field, reason := checkScope(grant.Scope, want); reason != nil {
		return mismatch(path+".scope"+field, "%w", reason)
	}
	return checkWidth(path+".scope", requests[i].Scope, grant.Scope)
}

// checkWidth makes sure that a grant stays inside its request.
func checkWidth(path string, asked, granted AuthorityScope) error {
	for i, module := range granted.Modules {
		if !slices.Contains(asked.Modules, module) {
			return failed(ErrPermissionDenied, fmt.Sprintf("%s.modules[%d]", path, i), "%s is not requested", shown(module))
		}
	}
	if granted.MaxInstances > asked.MaxInstances {
		return failed(ErrPermissionDenied, path+".maxInstances",
			"%d, requested are at most %d", granted.MaxInstances, asked.MaxInstances)
	}
	if granted.MaxMemoryBytes > asked.MaxMemoryBytes {
		return failed(ErrPermissionDenied, path+".maxMemoryBytes",
			"%d, requested are at most %d", granted.MaxMemoryBytes, asked.MaxMemoryBytes)
	}
	return nil
}
