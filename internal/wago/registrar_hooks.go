package wago

// RuntimeCloseObserver hears of the runtime's close before anything is closed, last registered first.
//
// Safe for concurrent use.
type RuntimeCloseObserver struct{ r *Registrar }

// RuntimeCloseObserver returns the handle that observes the runtime's close (runtime.close.observe).
func (r *Registrar) RuntimeCloseObserver() (*RuntimeCloseObserver, error) {
	return handle(r, AuthorityRuntimeCloseObserve, &RuntimeCloseObserver{r})
}

// Observe adds callbacks.
func (o *RuntimeCloseObserver) Observe(fns ...func(RuntimeCloseEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(RuntimeCloseEvent)] { return &h.runtimeClose })
}

// ModuleCompileObserver hears of compilations, in order of registration.
//
// Safe for concurrent use.
type ModuleCompileObserver struct{ r *Registrar }

// ModuleCompileObserver returns the handle that observes compilations (module.compile.observe).
func (r *Registrar) ModuleCompileObserver() (*ModuleCompileObserver, error) {
	return handle(r, AuthorityModuleCompileObserve, &ModuleCompileObserver{r})
}

// Observe adds callbacks for successful compilations.
func (o *ModuleCompileObserver) Observe(fns ...func(ModuleCompiledEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(ModuleCompiledEvent)] { return &h.compiled })
}

// OnError adds callbacks for failed compilations.
func (o *ModuleCompileObserver) OnError(fns ...func(ModuleCompileErrorEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(ModuleCompileErrorEvent)] { return &h.compileFailed })
}

// ModuleCloseObserver hears of modules that the embedder closes, in order of registration. A runtime's close releases
// modules without the event: the plugins have stopped by then.
//
// Safe for concurrent use.
type ModuleCloseObserver struct{ r *Registrar }

// ModuleCloseObserver returns the handle that observes closes of modules (module.close.observe).
func (r *Registrar) ModuleCloseObserver() (*ModuleCloseObserver, error) {
	return handle(r, AuthorityModuleCloseObserve, &ModuleCloseObserver{r})
}

// Observe adds callbacks.
func (o *ModuleCloseObserver) Observe(fns ...func(ModuleCloseEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(ModuleCloseEvent)] { return &h.moduleClose })
}

// InstanceInstantiateInterceptor decides about instantiations, in order of registration; the first error ends one.
//
// Safe for concurrent use.
type InstanceInstantiateInterceptor struct{ r *Registrar }

// InstanceInstantiateInterceptor returns the handle that intercepts instantiations (instance.instantiate.intercept).
func (r *Registrar) InstanceInstantiateInterceptor() (*InstanceInstantiateInterceptor, error) {
	return handle(r, AuthorityInstanceInstantiateIntercept, &InstanceInstantiateInterceptor{r})
}

// Before adds callbacks that run before anything of the instance exists.
func (o *InstanceInstantiateInterceptor) Before(fns ...func(InstantiationRequest) error) error {
	return addHooks(o.r, fns, isNilInterceptor, func(h *hookSet) *[]hook[func(InstantiationRequest) error] { return &h.beforeInstantiate })
}

// After adds callbacks that run when the start section has run; after an error the instance is closed.
func (o *InstanceInstantiateInterceptor) After(fns ...func(InstantiationEvent) error) error {
	return addHooks(o.r, fns, isNilInterceptor, func(h *hookSet) *[]hook[func(InstantiationEvent) error] { return &h.afterInstantiate })
}

// InstanceInstantiateObserver hears of instantiations, in order of registration.
//
// Safe for concurrent use.
type InstanceInstantiateObserver struct{ r *Registrar }

// InstanceInstantiateObserver returns the handle that observes instantiations (instance.instantiate.observe).
func (r *Registrar) InstanceInstantiateObserver() (*InstanceInstantiateObserver, error) {
	return handle(r, AuthorityInstanceInstantiateObserve, &InstanceInstantiateObserver{r})
}

// After adds callbacks for successful instantiations.
func (o *InstanceInstantiateObserver) After(fns ...func(InstantiationEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(InstantiationEvent)] { return &h.instantiated })
}

// OnError adds callbacks for failed ones.
func (o *InstanceInstantiateObserver) OnError(fns ...func(InstantiationErrorEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(InstantiationErrorEvent)] { return &h.instantiateFailed })
}

// InstanceCloseObserver hears of instances that close, direct and managed, last registered first.
//
// Safe for concurrent use.
type InstanceCloseObserver struct{ r *Registrar }

// InstanceCloseObserver returns the handle that observes closes of instances (instance.close.observe).
func (r *Registrar) InstanceCloseObserver() (*InstanceCloseObserver, error) {
	return handle(r, AuthorityInstanceCloseObserve, &InstanceCloseObserver{r})
}

// Before adds callbacks that run when an instance refuses calls already and its guest is told to stop, but hasn't been
// waited for. The close waits for them.
func (o *InstanceCloseObserver) Before(fns ...func(InstanceCloseEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(InstanceCloseEvent)] { return &h.beforeClose })
}

// After adds callbacks that run when nothing of the instance is left.
func (o *InstanceCloseObserver) After(fns ...func(InstanceCloseEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(InstanceCloseEvent)] { return &h.afterClose })
}

// InstanceInvokeInterceptor decides about calls by [Instance.Call], in order of registration; the first error ends one.
//
// Safe for concurrent use.
type InstanceInvokeInterceptor struct{ r *Registrar }

// InstanceInvokeInterceptor returns the handle that intercepts calls (instance.invoke.intercept).
func (r *Registrar) InstanceInvokeInterceptor() (*InstanceInvokeInterceptor, error) {
	return handle(r, AuthorityInstanceInvokeIntercept, &InstanceInvokeInterceptor{r})
}

// Before adds callbacks that run before the guest does.
func (o *InstanceInvokeInterceptor) Before(fns ...func(InvocationRequest) error) error {
	return addHooks(o.r, fns, isNilInterceptor, func(h *hookSet) *[]hook[func(InvocationRequest) error] { return &h.beforeInvoke })
}

// InstanceInvokeObserver hears of calls by [Instance.Call] that have ended, in order of registration.
//
// Safe for concurrent use.
type InstanceInvokeObserver struct{ r *Registrar }

// InstanceInvokeObserver returns the handle that observes calls (instance.invoke.observe).
func (r *Registrar) InstanceInvokeObserver() (*InstanceInvokeObserver, error) {
	return handle(r, AuthorityInstanceInvokeObserve, &InstanceInvokeObserver{r})
}

// After adds callbacks.
func (o *InstanceInvokeObserver) After(fns ...func(InvocationEvent)) error {
	return addHooks(o.r, fns, isNilObserver, func(h *hookSet) *[]hook[func(InvocationEvent)] { return &h.afterInvoke })
}

func handle[H any](r *Registrar, a Authority, h *H) (*H, error) {
	if _, err := r.authorize(a); err != nil {
		return nil, err
	}
	return h, nil
}

func isNilObserver[E any](fn func(E)) bool          { return fn == nil }
func isNilInterceptor[E any](fn func(E) error) bool { return fn == nil }
