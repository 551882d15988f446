package workers

import (
	"encoding/json"

	wago "github.com/wago-org/wago"
)

// PluginID is the plugin's identity and its module's path.
const PluginID = "github.com/wago-org/workers"

// Definition returns what the plugin publishes about itself, a fresh value each time.
//
// Safe for concurrent use.
func Definition() wago.PluginDefinition {
	return wago.PluginDefinition{
		ID:          PluginID,
		Name:        "Workers",
		Version:     "0.1.0",
		Description: "Runs guest functions as workers: each in an instance of its own, with a bounded mailbox.",
		Stability:   wago.Experimental,
		Compatibility: wago.Compatibility{
			Engines: map[string]string{"wago": ">=0.1.0"},
		},
		Provenance: wago.PluginProvenance{
			Homepage:   "https://github.com/wago-org/workers",
			Repository: "https://github.com/wago-org/workers",
			License:    "Apache-2.0",
			Authors:    []string{"Wago contributors"},
		},
		Authorities: []wago.AuthorityRequest{
			{
				Name:   wago.AuthorityInstanceManage,
				Mode:   wago.AuthorityRequired,
				Reason: "Makes the instances that workers run in, and interrupts and closes them.",
				Scope:  wago.AuthorityScope{MaxInstances: 1_024, MaxMemoryBytes: 4 << 30},
			},
			{
				Name:   wago.AuthorityInstanceCloseObserve,
				Mode:   wago.AuthorityRequired,
				Reason: "Stops the workers linked to an instance before that instance is gone.",
			},
		},
		ConfigSchema: json.RawMessage(configSchema),
		Provides:     []wago.ContractSpec{Contract.Spec()},
	}
}
