package wago_test

import (
	"context"
	"fmt"

	"github.com/wago-org/wago"
)

// A plugin answers a guest's import; the embedder loads it, runs the guest and closes everything.
func Example() {
	greeter := wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: "example.com/greeter", Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/greeter", License: "MIT"},
			Authorities: []wago.AuthorityRequest{{Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired,
				Reason: "answer env.run", Scope: wago.AuthorityScope{Modules: []string{"env"}}}},
		},
		New: func() wago.Plugin {
			return registerFunc(func(r *wago.Registrar) error {
				imports, err := r.HostImports()
				if err != nil {
					return err
				}
				env, err := imports.Module("env")
				if err != nil {
					return err
				}
				env.Func("run", func(_ wago.HostModule, params, results []uint64) {
					results[0] = wago.I32(wago.AsI32(params[0]) + wago.AsI32(params[1]) + wago.AsI32(params[2]))
				})
				return nil
			})
		},
	}
	digest, err := wago.DefinitionDigest(greeter.Definition)
	check(err)
	rt := wago.NewRuntime()
	defer func() { check(rt.Close()) }()
	check(rt.LoadPlugins(context.Background(), wago.PluginSet{
		Providers: []wago.PluginProvider{greeter},
		Selections: []wago.PluginSelection{{ID: greeter.Definition.ID, DefinitionDigest: digest, Direct: true,
			Dependencies: map[string]string{}, Grants: []wago.AuthorityGrant{{
				Name: wago.AuthorityHostImportDefine, Scope: wago.AuthorityScope{Modules: []string{"env"}}}}}},
	}))
	module, err := rt.Compile(guestWasm)
	check(err)
	guest, err := rt.Instantiate(context.Background(), module)
	check(err)
	sum, err := guest.Call(context.Background(), "call", wago.ValueI32(1), wago.ValueI32(2), wago.ValueI32(3))
	check(err)
	fmt.Println(sum[0])
	// Output: i32(6)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
