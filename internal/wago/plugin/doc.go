// Package plugin gives contracts their types: how plugins offer services to each other and use them.
//
// A contract is a name, a major version and a Go type that both sides know:
//
//	var Contract = plugin.NewContract[Service]("example.com/greeter/service", 1)
//
// The provider offers a value in its Register with [Provide]; the consumer asks in its own with [Require] (exactly one
// provider), [Optional] (none or one) or [Many] (every selected one), and gets a reference. Each use goes through the
// reference's With, which leases the value for one callback:
//
//	err := ref.With(func(s Service) error { return s.Greet("you") })
//
// References work from the commit of the load, so not yet in Register, to the end of the consumer's teardown, its Stop
// included. Outside that life With fails with wago.ErrPermissionDenied and the callback doesn't run. The value must not be
// kept beyond the callback.
package plugin
