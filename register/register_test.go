package register_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProvidersIsExplicitAndFresh(t *testing.T) {
	first, second := register.Providers(), register.Providers()
	require.Len(t, first, 1)
	require.Len(t, second, 1)
	assert.Equal(t, pool.PluginID, first[0].Definition.ID)
	assert.NotNil(t, first[0].New())
	assert.NotNil(t, first[0].ValidateConfig)

	first[0].Definition.ConfigSchema[0] = 'x'
	first[0].Definition.Requires[0].ID = "changed"
	first[0].Definition.Compatibility.Engines["wago"] = "changed"
	assert.Equal(t, pool.Definition(), second[0].Definition, "what is done to one value shows in no other")
	assert.Equal(t, pool.Definition(), register.Providers()[0].Definition)
}
