package pool_test

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wiring are the service's exported names that only the plugin needs.
var wiring = []string{"New", "Lease"}

// Whoever uses the contract needs the root package alone.
func TestTheRootNamesTheServicesVocabulary(t *testing.T) {
	v := newVocabulary(t)
	for _, name := range exported(v.service) {
		if !slices.Contains(wiring, name) {
			v.requireNamed(t, v.service.Scope().Lookup(name))
		}
	}
	for _, used := range v.leafTypesInService() {
		v.requireNamed(t, used)
	}
	for leaf := range v.leaves {
		for _, object := range v.constantsOfNamedTypes(leaf) {
			v.requireNamed(t, object)
		}
	}
}

func TestEverySentinelHasATextOfItsOwn(t *testing.T) {
	v := newVocabulary(t)
	seen := make(map[string]string)
	for _, name := range v.sentinels() {
		sentinel := v.root.Scope().Lookup(name).(*types.Const)
		text := constant.StringVal(sentinel.Val())
		assert.NotEmpty(t, text, name)
		assert.Empty(t, seen[text], "%s says the same: %q", name, text)
		assert.True(t, types.Implements(sentinel.Type(), v.error), "%s is an error", name)
		seen[text] = name
	}
	assert.GreaterOrEqual(t, len(seen), 25)
}

// vocabulary is what the type checker knows of this module's packages.
type vocabulary struct {
	root, service *types.Package
	leaves        map[*types.Package]bool
	error         *types.Interface
}

func newVocabulary(t testing.TB) *vocabulary {
	t.Helper()
	c := newChecker(t, portable...)
	imported := func(path string) *types.Package {
		pkg, err := c.imports.Import(path)
		require.NoError(t, err)
		return pkg
	}
	return &vocabulary{
		root:    imported(root),
		service: imported(root + "/service"),
		leaves:  map[*types.Package]bool{imported(root + "/strategy"): true, imported(root + "/supervise"): true},
		error:   types.Universe.Lookup("error").Type().Underlying().(*types.Interface),
	}
}

// requireNamed checks that the root has a name for an object: the same type, constant or function.
func (v *vocabulary) requireNamed(t testing.TB, object types.Object) {
	t.Helper()
	found := slices.ContainsFunc(exported(v.root), func(name string) bool {
		return same(v.root.Scope().Lookup(name), object)
	})
	assert.True(t, found, "the root has no name for %v", object)
}

func same(a, b types.Object) bool {
	if !types.Identical(a.Type(), b.Type()) {
		return false
	}
	switch a := a.(type) {
	case *types.TypeName:
		_, ok := b.(*types.TypeName)
		return ok
	case *types.Const:
		b, ok := b.(*types.Const)
		return ok && constant.Compare(a.Val(), token.EQL, b.Val()) && strings.HasSuffix(a.Name(), b.Name())
	case *types.Func:
		_, ok := b.(*types.Func)
		return ok && a.Name() == b.Name()
	}
	return false
}

// leafTypesInService returns the leaves' types that fields of the service's types have, as strategy.Kind in Options.
func (v *vocabulary) leafTypesInService() (found []types.Object) {
	for _, name := range exported(v.service) {
		shape, ok := v.service.Scope().Lookup(name).Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for field := range shape.Fields() {
			if named, ok := field.Type().(*types.Named); ok && field.Exported() && v.leaves[named.Obj().Pkg()] {
				found = append(found, named.Obj())
			}
		}
	}
	return found
}

// constantsOfNamedTypes returns a leaf's constants whose type the root has a name for, as in strategy.RoundRobin.
func (v *vocabulary) constantsOfNamedTypes(leaf *types.Package) (found []types.Object) {
	for _, name := range exported(leaf) {
		object, ok := leaf.Scope().Lookup(name).(*types.Const)
		if !ok {
			continue
		}
		if named, ok := object.Type().(*types.Named); ok && v.aliased(named) {
			found = append(found, object)
		}
	}
	return found
}

func (v *vocabulary) aliased(t types.Type) bool {
	return slices.ContainsFunc(exported(v.root), func(name string) bool {
		alias, ok := v.root.Scope().Lookup(name).(*types.TypeName)
		return ok && types.Identical(alias.Type(), t)
	})
}

func exported(pkg *types.Package) (names []string) {
	for _, name := range pkg.Scope().Names() {
		if token.IsExported(name) {
			names = append(names, name)
		}
	}
	return names
}

// constants returns the root's constants of the type with that name in the root, and their numbers.
func (v *vocabulary) constants(t testing.TB, typeName string) map[string]uint8 {
	t.Helper()
	typ := v.root.Scope().Lookup(typeName)
	require.NotNil(t, typ, typeName)
	numbers := make(map[string]uint8)
	for _, name := range exported(v.root) {
		if c, ok := v.root.Scope().Lookup(name).(*types.Const); ok && types.Identical(c.Type(), typ.Type()) {
			number, exact := constant.Uint64Val(c.Val())
			require.True(t, exact)
			numbers[name] = uint8(number)
		}
	}
	return numbers
}

// sentinels returns the names of the root's error constants.
func (v *vocabulary) sentinels() (names []string) {
	for _, name := range exported(v.root) {
		if _, ok := v.root.Scope().Lookup(name).(*types.Const); ok && strings.HasPrefix(name, "Err") {
			names = append(names, name)
		}
	}
	return names
}

// errorTypes returns the names of the root's types that are errors, or whose pointers are.
func (v *vocabulary) errorTypes() (names []string) {
	for _, name := range exported(v.root) {
		object, ok := v.root.Scope().Lookup(name).(*types.TypeName)
		if ok && (types.Implements(object.Type(), v.error) || types.Implements(types.NewPointer(object.Type()), v.error)) {
			names = append(names, name)
		}
	}
	return names
}
