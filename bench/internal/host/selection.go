package host

import (
	"encoding/json"
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// mailboxBytes is what one worker's mailbox may hold: of deep ones 65 536 messages of 16 bytes, a few times over.
const mailboxBytes = 4 << 20

// plugins selects the host's plugins: each gets every authority it asks for, each contract the plugin that provides it.
func (h *Host) plugins(o Options) (wago.PluginSet, error) {
	providers := []wago.PluginProvider{consumer{h}.provider()}
	config := make(map[string]json.RawMessage)
	if o.Level >= Workers {
		providers = append(providers, roomy(workers.Provider(), o.Workers))
		config[workers.PluginID] = fmt.Appendf(nil, `{"maxLiveWorkers": %d, "maxQueueBytes": %d}`,
			o.Workers, uint64(o.Workers)*mailboxBytes)
	}
	if o.Level >= Pools {
		providers = append(providers, pool.Provider())
		config[pool.PluginID] = fmt.Appendf(nil, `{"maxWorkersPerPool": %d, "maxTotalWorkers": %d}`, o.Workers, o.Workers)
	}
	return wago.SelectAll(providers, config)
}

// roomy is the provider with a definition that asks for so many instances, and memory for them, where it asks for fewer.
func roomy(p wago.PluginProvider, instances uint32) wago.PluginProvider {
	for i := range p.Definition.Authorities {
		ask := &p.Definition.Authorities[i]
		if ask.Name == wago.AuthorityInstanceManage && ask.Scope.MaxInstances < instances {
			ask.Scope.MaxMemoryBytes *= uint64(instances/ask.Scope.MaxInstances + 1)
			ask.Scope.MaxInstances = instances
		}
	}
	return p
}
