package workerstest

import (
	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
)

var identityChecks = []Check{
	{Name: "identity/is the instance's, not the call's", run: extra(func(w *world, service Identifier) {
		of := func(owner Owner) (id wago.InstanceIdentity) {
			w.callOf(owner, func(caller wago.HostModule) {
				var err error
				id, err = service.Identity(caller)
				require.NoError(w, err)
			})
			return id
		}
		other := w.newOwner()
		require.False(w, of(w.owner).IsZero())
		require.Equal(w, of(w.owner), of(w.owner))
		require.NotEqual(w, of(w.owner), of(other))
	})},
	{Name: "identity/a worker has its own", run: extra(func(w *world, service Identifier) {
		var first, second, owner wago.InstanceIdentity
		_, end := w.probe(func(caller wago.HostModule) (err error) {
			if first, err = service.Identity(caller); err != nil {
				return err
			}
			second, err = service.Identity(caller)
			return err
		})
		require.NoError(w, end())
		w.call(func(caller wago.HostModule) { owner, _ = service.Identity(caller) })
		require.Equal(w, first, second)
		require.NotEqual(w, owner, first)
	})},
	{Name: "identity/a caller that isn't live is refused", run: extra(func(w *world, service Identifier) {
		for name, caller := range w.badCallers() {
			id, err := service.Identity(caller)
			require.Error(w, err, name)
			require.True(w, id.IsZero(), name)
		}
	})},
}
