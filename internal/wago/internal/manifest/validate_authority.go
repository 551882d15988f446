package manifest

import (
	"fmt"
	"strings"
)

// shape says which fields of a scope an authority takes.
type shape uint8

const (
	shapeNone    shape = iota + 1 // nothing
	shapeModules                  // at least one module, no limits
	shapeLimits                   // both limits, no modules
)

// shapeOf gives the shape of a known authority, and false for any other name.
func shapeOf(name Authority) (shape, bool) {
	switch name {
	case AuthorityHostImportDefine, AuthorityCompilerTypeDefine, AuthorityCompilerInstructionDefine:
		return shapeModules, true
	case AuthorityInstanceManage, AuthorityCoreInstanceInstantiate:
		return shapeLimits, true
	case AuthorityHostCallerIdentify, AuthorityHostArgumentsRead, AuthorityRuntimeCloseObserve,
		AuthorityModuleSourceTransform, AuthorityModuleCompileObserve, AuthorityModuleCloseObserve,
		AuthorityInstanceInstantiateIntercept, AuthorityInstanceInstantiateObserve, AuthorityInstanceCloseObserve,
		AuthorityInstanceInvokeIntercept, AuthorityInstanceInvokeObserve, AuthorityCoreModuleCompile,
		AuthorityCoreFuncRefCreate:
		return shapeNone, true
	default:
		return 0, false
	}
}

func checkAuthorities(d *PluginDefinition) error {
	if err := at("authorities", checkCount(len(d.Authorities), maxAuthorities)); err != nil {
		return err
	}
	seen := map[Authority]bool{}
	for i, request := range d.Authorities {
		path := fmt.Sprintf("authorities[%d]", i)
		if seen[request.Name] {
			return broken(path+".name", "%s occurs twice", shown(string(request.Name)))
		}
		seen[request.Name] = true
		if err := checkRequest(path, request); err != nil {
			return err
		}
	}
	return nil
}

func checkRequest(path string, request AuthorityRequest) error {
	want, known := shapeOf(request.Name)
	if !known {
		return broken(path+".name", "%s is not an authority", shown(string(request.Name)))
	}
	if request.Mode != AuthorityRequired && request.Mode != AuthorityOptional {
		return broken(path+".mode", "%s is not a mode", shown(string(request.Mode)))
	}
	if blank(request.Reason) {
		return broken(path+".reason", "blank")
	}
	if err := at(path+".reason", checkText(request.Reason, maxReasonLength)); err != nil {
		return err
	}
	if field, reason := checkScope(request.Scope, want); reason != nil {
		return broken(path+".scope"+field, "%w", reason)
	}
	return nil
}

// checkScope holds a scope against a shape. It returns the field at fault, "" for the scope as a whole, and the reason.
func checkScope(scope AuthorityScope, want shape) (field string, reason error) {
	switch {
	case want != shapeModules && len(scope.Modules) > 0:
		return ".modules", fmt.Errorf("this authority takes no modules, %d are given", len(scope.Modules))
	case want != shapeLimits && scope.MaxInstances > 0:
		return ".maxInstances", fmt.Errorf("this authority takes no limits, %d is given", scope.MaxInstances)
	case want != shapeLimits && scope.MaxMemoryBytes > 0:
		return ".maxMemoryBytes", fmt.Errorf("this authority takes no limits, %d is given", scope.MaxMemoryBytes)
	case want == shapeLimits && scope.MaxInstances == 0:
		return ".maxInstances", fmt.Errorf("0, at least 1 is needed")
	case want == shapeLimits && scope.MaxMemoryBytes == 0:
		return ".maxMemoryBytes", fmt.Errorf("0, at least 1 is needed")
	case want == shapeModules:
		return checkModules(scope.Modules)
	}
	return "", nil
}

func checkModules(modules []string) (field string, reason error) {
	if len(modules) == 0 || len(modules) > maxScopeModules {
		return ".modules", fmt.Errorf("%d modules, 1 to %d are allowed", len(modules), maxScopeModules)
	}
	seen := map[string]bool{}
	for i, module := range modules {
		field := fmt.Sprintf(".modules[%d]", i)
		switch {
		case module == "" || module != strings.TrimSpace(module):
			return field, fmt.Errorf("%s is empty or has blanks around it", shown(module))
		case strings.ContainsAny(module, "*\x00\r\n"):
			return field, fmt.Errorf("%s is not an exact name", shown(module))
		case seen[module]:
			return field, fmt.Errorf("%s occurs twice", shown(module))
		}
		if err := checkText(module, maxModuleLength); err != nil {
			return field, err
		}
		seen[module] = true
	}
	return "", nil
}
