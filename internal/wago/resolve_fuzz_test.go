package wago_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// FuzzResolve makes sets of plugins and has them resolved and loaded. A set is refused for what the model refuses it for, by
// the plugin's name and before any code of a plugin runs; or every plugin starts after what it needs and stops before it, and
// finds behind its contracts those that it was bound to. The order of the arguments changes nothing.
func FuzzResolve(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{5, 0, 1, 0, 0, 1, 3, 0, 0}) // six of them
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		text := make([]byte, 20+random.IntN(150))
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := choices(text)
		w := newWorld(&c)
		order, refused := modelPlan(w)
		stage := &planStage{t: t, world: w}
		plan, err := wago.InspectPluginPlan(stage.set())
		loaded := stage.load()
		if refused != nil {
			require.Nil(t, plan)
			refused.requireIs(t, w, err)
			require.EqualError(t, loaded, err.Error())
			require.Empty(t, stage.journal, "a plugin's code ran")
		} else {
			require.NoError(t, err)
			require.NoError(t, loaded)
			stage.requireOrder(order, plan)
		}
		stage.turn()
		again, err2 := wago.InspectPluginPlan(stage.set())
		require.Equal(t, plan, again)
		require.Equal(t, err, err2)
	})
}

func (r *planRefusal) requireIs(t *testing.T, w *world, err error) {
	var where *wago.PluginError
	require.ErrorAs(t, err, &where)
	require.ErrorIs(t, err, r.err)
	require.Equal(t, r.phase, where.Phase, err)
	if r.err != wago.ErrDependencyCycle {
		require.Equal(t, r.plugin, where.Plugin, err)
		require.NotEmpty(t, where.Path, err)
		return
	}
	needs := make(map[string][]string)
	for _, d := range w.definitions {
		for _, need := range d.Requires {
			needs[d.ID] = append(needs[d.ID], need.ID)
		}
	}
	for _, s := range w.selections {
		for _, b := range s.Contracts {
			needs[s.ID] = append(needs[s.ID], b.Providers...)
		}
	}
	require.True(t, (&planModel{needs: needs}).reaches(where.Plugin, where.Plugin, nil), "%s doesn't need itself: %v", where.Plugin, err)
}

// planStage runs plugins that do nothing but look at their contracts.
type planStage struct {
	t       *testing.T
	world   *world
	journal []string
}

// turn has the arguments come the other way round.
func (s *planStage) turn() {
	slices.Reverse(s.world.definitions)
	slices.Reverse(s.world.selections)
}

func (s *planStage) set() (set wago.PluginSet) {
	for _, d := range s.world.definitions {
		set.Providers = append(set.Providers, wago.PluginProvider{Definition: d, New: func() wago.Plugin {
			s.journal = append(s.journal, "register "+d.ID)
			return registerFunc(func(r *wago.Registrar) error { return s.register(r, d) })
		}})
	}
	set.Selections = s.world.selections
	return set
}

func (s *planStage) load() error {
	rt := wago.NewRuntime()
	err := rt.LoadPlugins(context.Background(), s.set())
	require.NoError(s.t, rt.Close())
	return err
}

// offer is what a plugin provides under a contract.
type offer struct {
	plugin string
	spec   wago.ContractSpec
}

func (s *planStage) register(r *wago.Registrar, d wago.PluginDefinition) error {
	for _, spec := range d.Provides {
		if err := wago.ProvideContract(r, spec, offer{d.ID, spec}); err != nil {
			return err
		}
	}
	refs := make(map[wago.ContractSpec]*wago.ContractRef)
	for _, need := range d.Consumes {
		spec := wago.ContractSpec{ID: need.ID, Major: need.Major}
		ref, err := wago.RequireContract(r, spec, need.Mode, (*offer)(nil))
		if err != nil {
			return err
		}
		refs[spec] = ref
	}
	look := func(when string) func(context.Context) error {
		return func(context.Context) error {
			s.journal = append(s.journal, when+" "+d.ID)
			return s.look(d.ID, refs)
		}
	}
	return r.Lifecycle(wago.PluginLifecycle{Start: look("start"), Stop: look("stop")})
}

// look holds what is behind a plugin's contracts against its selection.
func (s *planStage) look(id string, refs map[wago.ContractSpec]*wago.ContractRef) error {
	i := slices.IndexFunc(s.world.selections, func(of wago.PluginSelection) bool { return of.ID == id })
	for _, b := range s.world.selections[i].Contracts {
		spec := wago.ContractSpec{ID: b.ID, Major: b.Major}
		err := refs[spec].CallAll(func(values []any) error {
			var got []string
			for _, value := range values {
				require.Equal(s.t, spec, value.(offer).spec)
				got = append(got, value.(offer).plugin)
			}
			require.True(s.t, slices.Equal(b.Providers, got), "%s: bound to %v, got %v", id, b.Providers, got)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// requireOrder holds the plan, and what the plugins did, against the model's order.
func (s *planStage) requireOrder(order []string, plan *wago.PluginPlan) {
	var planned, want []string
	for _, entry := range plan.Plugins {
		planned = append(planned, entry.ID)
	}
	require.Equal(s.t, order, planned)
	for _, verb := range []string{"register ", "start "} {
		for _, id := range order {
			want = append(want, verb+id)
		}
	}
	for _, id := range slices.Backward(order) {
		want = append(want, "stop "+id)
	}
	require.Equal(s.t, want, s.journal)
}
