package guest

import "github.com/wago-org/wago"

// The import modules of the guest ABI.
const (
	modulePool = "pool"
	moduleEnv  = "env"
)

// Function is a host function that guests may import.
type Function struct {
	Module, Name    string
	Params, Results []wago.ValType
}

// Key returns "module.name".
func (f Function) Key() string { return f.Module + "." + f.Name }

var (
	none = []wago.ValType(nil)
	i32  = []wago.ValType{wago.ValI32}
	i64  = []wago.ValType{wago.ValI64}
	two  = []wago.ValType{wago.ValI32, wago.ValI32}
)

// Functions lists the host functions of the guest ABI, without those of WASI.
func Functions() []Function {
	var p *Plugin
	functions := make([]Function, 0, len(p.table()))
	for _, b := range p.table() {
		functions = append(functions, b.Function)
	}
	return functions
}

type binding struct {
	Function
	call func(m wago.HostModule, params, results []uint64) error
}

func (p *Plugin) table() []binding {
	return []binding{
		{Function{modulePool, "serve", i32, none}, p.serve},
		{Function{modulePool, "next", two, i32}, p.next},
		{Function{modulePool, "read", []wago.ValType{wago.ValI32, wago.ValI32, wago.ValI32}, i32}, p.read},
		{Function{modulePool, "reply", two, none}, p.reply},
		{Function{modulePool, "fail", two, none}, p.fail},
		{Function{modulePool, "tag", none, i64}, p.tag},
		{Function{modulePool, "log", two, none}, p.log},
		{Function{moduleEnv, "abort", []wago.ValType{wago.ValI32, wago.ValI32, wago.ValI32, wago.ValI32}, none}, p.abort},
	}
}

// define registers the host functions. An error of one ends the guest's call with it.
func (p *Plugin) define(imports *wago.HostImportRegistrar) error {
	for _, b := range p.table() {
		module, err := imports.Module(b.Module)
		if err != nil {
			return err
		}
		module.Func(b.Name, func(m wago.HostModule, params, results []uint64) {
			if err := b.call(m, params, results); err != nil {
				panic(wago.HostTrap{Err: &CallError{Function: b.Key(), Err: err}})
			}
		}).Params(b.Params...).Results(b.Results...)
	}
	return nil
}
