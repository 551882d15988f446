package service_test

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// badValues are values of each option that Create has to refuse, with everything else left at its default. An option
// without any has an empty list.
var badValues = map[string][]any{
	"Strategy":               {pool.Broadcast + 1, pool.Strategy(255)},
	"Overflow":               {pool.OverflowShed + 1, pool.OverflowPolicy(255)},
	"Restart":                {pool.RestartNever + 1, pool.RestartPolicy(255)},
	"MinWorkers":             {},
	"MaxWorkers":             {},
	"TargetPerWorker":        {},
	"MaxRestarts":            {},
	"Worker.QueueCapacity":   {workers.MaxWorkerQueueCapacity + 1, uint32(math.MaxUint32)},
	"Worker.MaxPayloadBytes": {workers.MaxWorkerPayloadBytes + 1, uint32(math.MaxUint32)},
	"Worker.MaxQueueBytes":   {workers.MaxWorkerQueueBytes + 1, uint32(math.MaxUint32), uint32(1)},
	"HashSeed":               {},
	"RingReplicas":           {pool.MaxRingReplicas + 1, uint32(math.MaxUint32)},
	"Retries":                {},
	"RestartWindow":          {time.Duration(-1), time.Duration(math.MinInt64)},
	"RestartBackoff.Base":    {time.Duration(-1), time.Duration(math.MinInt64)},
	"RestartBackoff.Max":     {time.Duration(-1), time.Duration(math.MinInt64)},
	"TaskTimeout":            {time.Duration(-1), time.Duration(math.MinInt64)},
	"ScaleDownDelay":         {time.Duration(-1), time.Duration(math.MinInt64)},
}

// walkOptions visits every option, with its name and how to set it.
func walkOptions(visit func(name string, set func(*pool.PoolOptions, any))) {
	var walk func(t reflect.Type, prefix string, path []int)
	walk = func(t reflect.Type, prefix string, path []int) {
		for i := range t.NumField() {
			field, at := t.Field(i), append(append([]int(nil), path...), i)
			if field.Type.Kind() == reflect.Struct {
				walk(field.Type, prefix+field.Name+".", at)
				continue
			}
			visit(prefix+field.Name, func(o *pool.PoolOptions, v any) {
				reflect.ValueOf(o).Elem().FieldByIndex(at).Set(reflect.ValueOf(v))
			})
		}
	}
	walk(reflect.TypeFor[pool.PoolOptions](), "", nil)
}

// creator tries to create pools and holds that a refusal leaves nothing.
type creator struct {
	*rig.Rig
	owner *rig.Owner
}

// refused returns the error of a Create that has to fail after begun instances have been started, all of which are gone.
func (c *creator) refused(t *testing.T, entry uint32, opts pool.PoolOptions, begun int) error {
	t.Helper()
	spawned, list := c.Spawned(), c.Service.List()
	var id pool.PoolID
	err := promptly(t, "Create", func() (err error) {
		id, err = c.Service.Create(c.owner.Caller, entry, opts)
		return err
	})
	require.Error(t, err)
	assert.Zero(t, id)
	assert.Equal(t, begun, c.Spawned()-spawned, "instances started")
	assert.Zero(t, c.LiveWorkers(), "instances left")
	assert.Equal(t, list, c.Service.List())
	return err
}

// accepted creates a pool, runs one task, and destroys it.
func (c *creator) accepted(t *testing.T, opts pool.PoolOptions) pool.PoolStats {
	t.Helper()
	b := &bench{Rig: c.Rig, owner: c.owner}
	b.id = b.another(opts)
	b.submit(1)
	stats := b.quiet()
	require.NoError(t, c.Service.Destroy(b.id))
	return stats
}

func newCreator(t *testing.T) *creator {
	r := rig.New(t, rig.Config{Settings: map[string]string{workers.PluginID: `{"maxQueueBytes":1073741824}`}})
	return &creator{r, r.Owner()}
}

func TestPC07EveryOptionIsCheckedByName(t *testing.T) {
	c := newCreator(t)
	walkOptions(func(name string, set func(*pool.PoolOptions, any)) {
		values, known := badValues[name]
		require.True(t, known, "%s: which values are bad?", name)
		for _, value := range values {
			var opts pool.PoolOptions
			set(&opts, value)
			var bad *pool.OptionError
			err := c.refused(t, rig.EntryLoop, opts, 0)
			require.ErrorIs(t, err, pool.ErrInvalidPoolOptions, "%s %v", name, value)
			require.True(t, errors.As(err, &bad), "%s %v", name, value)
			assert.Equal(t, name, bad.Option)
			assert.NotEmpty(t, bad.Bound, name)
		}
	})
	c.accepted(t, pool.PoolOptions{})
}

func TestPC07ZeroMeansTheDefault(t *testing.T) {
	c := newCreator(t)
	stats := c.accepted(t, pool.PoolOptions{})
	assert.Equal(t, pool.RoundRobin, stats.Strategy)
	assert.EqualValues(t, 1, stats.Min)
	assert.EqualValues(t, 1, stats.Max)
	assert.EqualValues(t, 3, c.accepted(t, pool.PoolOptions{MinWorkers: 3}).Max, "MaxWorkers is MinWorkers")
	c.accepted(t, pool.PoolOptions{MinWorkers: 3, MaxWorkers: 3})
	c.accepted(t, pool.PoolOptions{RestartBackoff: pool.Backoff{Base: time.Second}})
}

func TestPC07OptionsThatContradictEachOtherAreRefused(t *testing.T) {
	c := newCreator(t)
	for option, opts := range map[string]pool.PoolOptions{
		"MaxWorkers":           {MinWorkers: 3, MaxWorkers: 2},
		"RestartBackoff.Max":   {RestartBackoff: pool.Backoff{Base: 2, Max: 1}},
		"RestartBackoff.Base":  {RestartBackoff: pool.Backoff{Max: 1}},
		"Worker.MaxQueueBytes": {Worker: pool.WorkerOptions{MaxPayloadBytes: 100, MaxQueueBytes: 99}},
	} {
		var bad *pool.OptionError
		require.True(t, errors.As(c.refused(t, rig.EntryLoop, opts, 0), &bad), option)
		assert.Equal(t, option, bad.Option)
	}
	var bad *pool.OptionError
	require.ErrorAs(t, c.refused(t, rig.EntryLoop, pool.PoolOptions{MinWorkers: 3, MaxWorkers: 2}, 0), &bad)
	assert.Contains(t, bad.Bound, "MinWorkers 3") // both names and both values are part of the contract
	assert.EqualValues(t, 2, bad.Value)
}

func TestPC07CeilingsOfTheServiceClampTheMaximumAndRefuseTheMinimum(t *testing.T) {
	c := newCreator(t)
	assert.Equal(t, pool.DefaultMaxWorkersPerPool, c.accepted(t, pool.PoolOptions{MaxWorkers: pool.DefaultMaxWorkersPerPool + 1}).Max)
	assert.Equal(t, pool.DefaultMaxWorkersPerPool, c.accepted(t, pool.PoolOptions{MaxWorkers: math.MaxUint32}).Max)
	over := pool.PoolOptions{MinWorkers: pool.DefaultMaxWorkersPerPool + 1}
	assert.Equal(t, pool.ErrPoolWorkerLimit, c.refused(t, rig.EntryLoop, over, 0))
}

func TestPC07ABadTableEntryIsNamedAndLeavesNothing(t *testing.T) {
	c := newCreator(t)
	for name, entry := range map[string]uint32{"past the end": rig.EntryOutside, "empty": rig.EntryNull, "wrong type": rig.EntryTyped} {
		err := c.refused(t, entry, pool.PoolOptions{MinWorkers: 3}, 1)
		assert.ErrorContains(t, err, strconv.Itoa(int(entry)), name) // the index is part of the contract
	}
	c.accepted(t, pool.PoolOptions{})
}
