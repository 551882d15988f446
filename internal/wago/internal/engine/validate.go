package engine

import (
	"context"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// errValid ends a compilation whose module has turned out to be valid.
const errValid = Error("engine: valid")

// onlyValidated is a listener factory that lets wazero compile nothing: it is
// asked about a module's functions as soon as the module is validated.
type onlyValidated struct{}

var _ experimental.FunctionListenerFactory = onlyValidated{}

// NewFunctionListener implements experimental.FunctionListenerFactory.
func (onlyValidated) NewFunctionListener(api.FunctionDefinition) experimental.FunctionListener {
	panic(errValid)
}

// validate says whether a module is valid, for wazero has no function that says
// just that. A panic of the decoder, which a malformed module can cause, is kept
// from the caller.
func (m *machine) validate(wasm []byte) (err error) {
	defer func() {
		if v := recover(); v != nil && v != any(errValid) {
			err = invalid(panicked(v))
		}
	}()
	c, err := m.rt.CompileModule(experimental.WithFunctionListenerFactory(context.Background(), onlyValidated{}), wasm)
	if err != nil {
		return invalid(err)
	}
	return c.Close(context.Background()) // it has no functions
}
