package pooltest

import (
	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// Config shapes a kit. The zero value is Workers and Pool with every default.
//
// Safe for concurrent use while nobody changes it.
type Config struct {
	// Plugins are loaded besides Workers, Pool and the kit's own: the plugin under test, and what it needs. A provider of
	// Workers or of Pool among them takes the place of the kit's.
	Plugins []wago.PluginProvider
	// Settings are the plugins' JSON configurations, by plugin ID. Without one a plugin has its defaults.
	Settings map[string]string
	// Runtime are options of the runtime.
	Runtime []wago.RuntimeOption
	// Behaviour is what workers do with tasks until Kit.Behave says otherwise. Defaults to GoOn with each.
	Behaviour Behaviour
	// Double returns what Kit.Service is, and what the kit's guests work with, in place of the service that it is given.
	// Defaults to that service itself. Plugins aren't given the double.
	Double func(pool.Service) pool.Service
	// Broadcasts says that the test, or its plugin, calls Broadcast: calls and tasks don't add up then, and the ledger's line
	// about calls is held as a bound only.
	Broadcasts bool
}
