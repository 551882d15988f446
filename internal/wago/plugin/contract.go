package plugin

import "github.com/wago-org/wago"

// Contract is a name, a major version and the Go type that goes with them. Make one with [NewContract] and share it between
// provider and consumer.
//
// Safe for concurrent use.
type Contract[T any] struct {
	id    string
	major uint32
}

// NewContract returns the contract of that ID, by convention the provider's plugin ID and a path, and major version, 1 or
// more.
func NewContract[T any](id string, major uint32) Contract[T] {
	return Contract[T]{id: id, major: major}
}

// ID returns the contract's ID.
func (c Contract[T]) ID() string { return c.id }

// Major returns the contract's major version.
func (c Contract[T]) Major() uint32 { return c.major }

// Spec returns ID and major version as definitions name them.
func (c Contract[T]) Spec() wago.ContractSpec { return wago.ContractSpec{ID: c.id, Major: c.major} }

// Provide offers a value under the contract, which the plugin's definition must provide, once. It fails for a nil value.
func Provide[T any](r *wago.Registrar, c Contract[T], value T) error {
	return wago.ProvideContract(r, c.Spec(), value)
}

func witness[T any]() *T { return nil }
