package wago

import (
	"context"
	"fmt"
)

func unsupported(what string) error { return fmt.Errorf("%w: %s", ErrUnsupported, what) }

// The handles of this file exist for the sake of the published interface: their Registrar methods return [ErrUnsupported],
// so no plugin ever holds one.

// ModuleSourceTransformer would rewrite module bytes before they are compiled.
type ModuleSourceTransformer struct{ _ [0]func() }

// Transform returns [ErrUnsupported].
func (*ModuleSourceTransformer) Transform(...func(ModuleSourceContext, []byte) ([]byte, error)) error {
	return unsupported("ModuleSourceTransformer.Transform")
}

// CoreModuleCompiler would compile modules for plugins.
type CoreModuleCompiler struct{ _ [0]func() }

// Compile returns [ErrUnsupported].
func (*CoreModuleCompiler) Compile([]byte) (*Module, error) {
	return nil, unsupported("CoreModuleCompiler.Compile")
}

// CoreInstanceInstantiator would instantiate modules for plugins: [InstanceManager.Instantiate] does.
type CoreInstanceInstantiator struct{ _ [0]func() }

// Instantiate returns [ErrUnsupported].
func (*CoreInstanceInstantiator) Instantiate(context.Context, *Module, ...InstantiateOption) (*ManagedInstance, error) {
	return nil, unsupported("CoreInstanceInstantiator.Instantiate")
}

// CoreFuncRefFactory would make first-class references to host functions.
type CoreFuncRefFactory struct{ _ [0]func() }

// New returns [ErrUnsupported].
func (*CoreFuncRefFactory) New(HostFunc, FuncSig) (*HostFuncRef, error) {
	return nil, unsupported("CoreFuncRefFactory.New")
}

// CompilerInstructionRegistrar would define instructions of the compiler.
type CompilerInstructionRegistrar struct{ _ [0]func() }

// CompilerTypeRegistrar would define types of the compiler.
type CompilerTypeRegistrar struct{ _ [0]func() }

// ModuleSourceTransformer returns [ErrUnsupported].
func (r *Registrar) ModuleSourceTransformer() (*ModuleSourceTransformer, error) {
	return nil, r.refuse(AuthorityModuleSourceTransform, "Registrar.ModuleSourceTransformer")
}

// CoreModuleCompiler returns [ErrUnsupported].
func (r *Registrar) CoreModuleCompiler() (*CoreModuleCompiler, error) {
	return nil, r.refuse(AuthorityCoreModuleCompile, "Registrar.CoreModuleCompiler")
}

// CoreInstanceInstantiator returns [ErrUnsupported]; [Registrar.ManagedInstances] gives what most plugins want from it.
func (r *Registrar) CoreInstanceInstantiator() (*CoreInstanceInstantiator, error) {
	return nil, r.refuse(AuthorityCoreInstanceInstantiate, "Registrar.CoreInstanceInstantiator")
}

// CoreFuncRefFactory returns [ErrUnsupported].
func (r *Registrar) CoreFuncRefFactory() (*CoreFuncRefFactory, error) {
	return nil, r.refuse(AuthorityCoreFuncRefCreate, "Registrar.CoreFuncRefFactory")
}

// CompilerInstructions returns [ErrUnsupported].
func (r *Registrar) CompilerInstructions() (*CompilerInstructionRegistrar, error) {
	return nil, r.refuse(AuthorityCompilerInstructionDefine, "Registrar.CompilerInstructions")
}

// CompilerTypes returns [ErrUnsupported].
func (r *Registrar) CompilerTypes() (*CompilerTypeRegistrar, error) {
	return nil, r.refuse(AuthorityCompilerTypeDefine, "Registrar.CompilerTypes")
}

// refuse names the missing authority if that is the first obstacle, and otherwise the missing support.
func (r *Registrar) refuse(a Authority, what string) error {
	if _, err := r.authorize(a); err != nil {
		return err
	}
	return &PluginError{Plugin: r.unit.id(), Phase: PluginPhaseRegister, Authority: a, Err: unsupported(what)}
}
