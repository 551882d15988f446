package main

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// The plugin without its program and its guest: package pooltest has guests that do what the test says.
func TestAWordWhoseWorkerTrapsFailsAlone(t *testing.T) {
	p := &shout{words: []string{"one", "two", "three"}, answers: make([]answer, 3)}
	kit := pooltest.Start(t, pooltest.Config{
		Plugins: []wago.PluginProvider{p.provider()}, Behaviour: pooltest.TrapOn(1),
	})
	guest := kit.Adapt(pooltest.Echo, map[string]string{"own": "shout.own", "next": "shout.next", "done": "shout.done"})
	_, err := kit.Instantiate(guest).Invoke("own")
	require.NoError(t, err)
	assert.Equal(t, "one", string(p.answers[0].text))
	require.ErrorIs(t, p.answers[1].err, pool.ErrTaskFailed)
	assert.Equal(t, "three", string(p.answers[2].text))
}
