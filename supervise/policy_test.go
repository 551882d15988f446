package supervise_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/supervise"
)

func TestPoliciesHaveOneSpelling(t *testing.T) {
	for policy, name := range map[supervise.Policy]string{1: "on_failure", 2: "always", 3: "never"} {
		assert.True(t, policy.Valid())
		assert.Equal(t, name, policy.String())
		text, err := json.Marshal(policy)
		require.NoError(t, err)
		assert.Equal(t, `"`+name+`"`, string(text))
		var back supervise.Policy
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, policy, back)
	}
}

func TestNoOtherPolicyExists(t *testing.T) {
	for _, policy := range []supervise.Policy{0, 4, 255} {
		assert.False(t, policy.Valid())
		_, err := policy.MarshalText()
		assert.ErrorIs(t, err, supervise.ErrUnknownPolicy)
	}
	assert.Equal(t, "Policy(4)", supervise.Policy(4).String())
	for _, name := range []string{"", "Always", "on-failure", "never\n"} {
		policy := supervise.Always
		assert.ErrorIs(t, policy.UnmarshalText([]byte(name)), supervise.ErrUnknownPolicy)
		assert.Equal(t, supervise.Always, policy)
	}
}

func TestVerdictsHaveNames(t *testing.T) {
	for verdict, name := range map[supervise.Verdict]string{
		supervise.Replace: "replace", supervise.GiveUp: "give_up", supervise.Halt: "halt", 0: "none",
	} {
		assert.Equal(t, name, verdict.String())
	}
}
