package pool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// hundred are the options of the page's example.
var hundred = pool.PoolOptions{
	MinWorkers: 100,
	Worker:     pool.WorkerOptions{QueueCapacity: 8, MaxPayloadBytes: 512 << 10, MaxQueueBytes: 4 << 20},
}

// memoryPages is the memory that the page's example lets a guest have (pages of 64 KiB).
const memoryPages = 512

var codeForm = regexp.MustCompile("(?s)```(go|json)\n(.*?)```")

// shown returns the page's only code block of a language.
func shown(t testing.TB, language string) (code string) {
	t.Helper()
	for _, block := range codeForm.FindAllStringSubmatch(readText(t, operations), -1) {
		if block[1] == language {
			require.Empty(t, code, "two blocks of %s", language)
			code = block[2]
		}
	}
	require.NotEmpty(t, code, "no block of %s", language)
	return code
}

// The page's example is what the tests here run.
func TestOperationsShowsTheOptionsOfItsExample(t *testing.T) {
	says(t, "operations_example_test.go", readText(t, "operations_example_test.go"), "var hundred = "+shown(t, "go"))
	page := readText(t, operations)
	const mib = 1 << 20
	says(t, operations, page, fmt.Sprintf("`RuntimeConfig.WithMemoryLimitPages(%d)`, %d MiB.", memoryPages, memoryPages*64>>10))
	n, box := uint64(hundred.MinWorkers), hundred.Worker
	says(t, operations, page, fmt.Sprintf("%d MiB of payload in mailboxes", n*uint64(box.MaxQueueBytes)/mib))
	says(t, operations, page, fmt.Sprintf("%d MiB in hands", n*uint64(box.MaxPayloadBytes)/mib))
	says(t, operations, page, fmt.Sprintf("%d MiB parked", n*uint64(box.QueueCapacity)*uint64(box.MaxPayloadBytes)/mib))
}

// settings are the plugins' configurations, by plugin ID.
type settings map[string]map[string]uint64

// plenty are settings with nothing in the way of a thousand workers and more.
func plenty() settings {
	return settings{
		workers.PluginID: {"maxLiveWorkers": 2_000, "maxQueueBytes": 16 << 30},
		pool.PluginID:    {"maxWorkersPerPool": 2_000, "maxTotalWorkers": 2_000},
	}
}

// farm is a rig whose guest declares no maximum of its memory, and an owner.
type farm struct {
	*rig.Rig
	owner  *rig.Owner
	limits chan *pool.LimitError // the first that an event names
}

func newFarm(t testing.TB, set settings, pages uint32) *farm {
	t.Helper()
	texts := make(map[string]string)
	for id, setting := range set {
		text, err := json.Marshal(setting)
		require.NoError(t, err)
		texts[id] = string(text)
	}
	limit := wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(pages))
	f := &farm{limits: make(chan *pool.LimitError, 1)}
	f.Rig = rig.New(t, rig.Config{Guest: rig.Starts, Quiet: true, Settings: texts, Runtime: []wago.RuntimeOption{limit}})
	f.owner = f.Owner()
	_, err := f.Service.ObserveEvents(func(e *pool.PoolEvent) {
		if limit := (*pool.LimitError)(nil); errors.As(e.Err, &limit) {
			select {
			case f.limits <- limit:
			default:
			}
		}
	})
	require.NoError(t, err)
	return f
}

func (f *farm) create(options pool.PoolOptions) (pool.PoolID, error) {
	return f.Service.Create(f.owner.Caller, rig.EntryLoop, options)
}

// stopped returns the setting that was in the way first.
func (f *farm) stopped() string {
	f.T.Helper()
	select {
	case limit := <-f.limits:
		return limit.Setting
	case <-time.After(10 * time.Second):
		return "nothing was"
	}
}

// fill makes a pool of the example's workers as large as it may be. It returns its size, and an error when a ceiling of all
// pools was in the way.
func (f *farm) fill() (live uint32, err error) {
	f.T.Helper()
	id, err := f.create(pool.PoolOptions{MinWorkers: 1, MaxWorkers: 2_000, Worker: hundred.Worker})
	if err != nil {
		return 0, err
	}
	err = f.Service.Scale(f.owner.Caller, id, 2_000)
	stats, failed := f.Service.Stats(id)
	require.NoError(f.T, failed)
	return stats.Live, err
}

// Each row of the example's table is what happens when that ceiling is as it is by default, and nothing else is in the way.
func TestOperationsSaysHowManyWorkersFit(t *testing.T) {
	rows := rowsBelow(t, operations, "### An example")
	require.Len(t, rows, 6)
	for _, row := range rows {
		ceiling := strings.Trim(row[0], "`")
		t.Run(ceiling, func(t *testing.T) {
			set, pages := plenty(), uint32(1)
			switch ceiling {
			case "scope.maxMemoryBytes":
				pages = wago.DefaultMemoryLimitPages
			case "maxTotalWorkers": // the ceiling of a pool can't be above it
				set[pool.PluginID]["maxWorkersPerPool"] = 100
			}
			delete(set[workers.PluginID], ceiling)
			delete(set[pool.PluginID], ceiling)
			f := newFarm(t, set, pages)
			fit, err := f.fill()
			if ceiling == "maxWorkersPerPool" {
				require.NoError(t, err, "it is clamped to")
			} else {
				for err == nil {
					var more uint32
					more, err = f.fill()
					fit += more
				}
				require.ErrorIs(t, err, pool.ErrPoolWorkerLimit)
				assert.Equal(t, ceiling, f.stopped())
			}
			assert.Equal(t, row[4], fmt.Sprint(fit), "workers that fit")
		})
	}
}

func TestOperationsExampleFitsWithItsConfiguration(t *testing.T) {
	var set settings
	require.NoError(t, json.Unmarshal([]byte(shown(t, "json")), &set))
	page := readText(t, operations)
	says(t, operations, page, fmt.Sprintf("| 16 | %d MiB |", set[workers.PluginID]["maxQueueBytes"]>>20))

	f := newFarm(t, set, memoryPages)
	_, err := f.create(hundred)
	require.NoError(t, err)
	_, err = f.create(pool.PoolOptions{Worker: hundred.Worker})
	require.ErrorIs(t, err, pool.ErrPoolWorkerLimit, "and that is all: a hundred and first doesn't")

	byDefault := newFarm(t, nil, 0)
	_, err = byDefault.create(hundred)
	require.Equal(t, pool.ErrPoolWorkerLimit, err)
	fit, err := byDefault.fill()
	require.ErrorIs(t, err, pool.ErrPoolWorkerLimit)
	assert.EqualValues(t, 16, fit)
	assert.Equal(t, "maxQueueBytes", byDefault.stopped())

	roomy := newFarm(t, plenty(), memoryPages)
	fit, err = roomy.fill()
	require.ErrorIs(t, err, pool.ErrPoolWorkerLimit)
	says(t, operations, page, fmt.Sprintf("at %d MiB %d fit", memoryPages*64>>10, fit))
}
