package manifest_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

func TestPluginErrorNamesWhatIsSet(t *testing.T) {
	cause := errors.New("cause")
	err := &manifest.PluginError{
		Plugin: "example.com/a", Phase: manifest.PluginPhaseAuthorize, Authority: manifest.AuthorityInstanceManage,
		Path: "grants[0]", Err: cause,
	}
	for _, part := range []string{"example.com/a", "authorize", "instance.manage", "grants[0]", "cause"} {
		require.ErrorContains(t, err, part)
	}
	require.ErrorIs(t, err, cause)
	require.NotEmpty(t, (&manifest.PluginError{}).Error(), "the zero value doesn't panic")
}

// The authority is named beside the path, for errors about grants.
func TestGrantErrorsNameTheAuthority(t *testing.T) {
	w := newWorld(t)
	w.selection(workers).Grants[0].Scope.MaxInstances = 9
	_, err := manifest.Resolve(w.definitions, w.selections)
	var e *manifest.PluginError
	require.ErrorAs(t, err, &e)
	require.Equal(t, manifest.AuthorityInstanceManage, e.Authority)
}
