package workers_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/workers"
)

func TestOptionsZeroIsTheDefault(t *testing.T) {
	o, err := workers.WorkerOptions{}.Normalize()
	require.NoError(t, err)
	require.Equal(t, workers.WorkerOptions{QueueCapacity: 64, MaxPayloadBytes: 65_536, MaxQueueBytes: 1 << 20}, o)
}

func TestOptionsAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		options workers.WorkerOptions
		names   string // what the error has to name; empty: fine
	}{
		"every maximum":          {workers.WorkerOptions{QueueCapacity: 65_536, MaxPayloadBytes: 16 << 20, MaxQueueBytes: 64 << 20}, ""},
		"capacity":               {workers.WorkerOptions{QueueCapacity: 65_537}, "QueueCapacity"},
		"payload":                {workers.WorkerOptions{MaxPayloadBytes: 16<<20 + 1, MaxQueueBytes: 64 << 20}, "MaxPayloadBytes"},
		"queue":                  {workers.WorkerOptions{MaxQueueBytes: 64<<20 + 1}, "MaxQueueBytes"},
		"everything":             {workers.WorkerOptions{QueueCapacity: math.MaxUint32, MaxPayloadBytes: math.MaxUint32, MaxQueueBytes: math.MaxUint32}, "QueueCapacity"},
		"queue below payload":    {workers.WorkerOptions{MaxPayloadBytes: 10, MaxQueueBytes: 9}, "MaxQueueBytes"},
		"queue equal to payload": {workers.WorkerOptions{MaxPayloadBytes: 10, MaxQueueBytes: 10}, ""},
		"only the payload":       {workers.WorkerOptions{MaxPayloadBytes: 1<<20 + 1}, "MaxQueueBytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.options.Normalize()
			if c.names == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, workers.ErrInvalidWorkerOptions)
			require.ErrorContains(t, err, c.names)
		})
	}
}

func TestQuotaHoldsBothLimitsExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := workers.WorkerLimits{
			MaxLiveWorkers: rapid.Uint32Range(1, 5).Draw(t, "workers"),
			MaxQueueBytes:  rapid.Uint64Range(1, 100).Draw(t, "bytes"),
		}
		quota := workers.NewQuota(limits)
		var live []uint32
		var total uint64
		t.Repeat(map[string]func(*rapid.T){
			"reserve": func(t *rapid.T) {
				bytes := rapid.Uint32Range(1, 60).Draw(t, "charge")
				err := quota.Reserve(bytes)
				var over *workers.QuotaError
				switch {
				case len(live) == int(limits.MaxLiveWorkers):
					require.ErrorAs(t, err, &over)
					require.Equal(t, workers.QuotaError{Setting: "maxLiveWorkers", Limit: uint64(limits.MaxLiveWorkers), Wanted: uint64(len(live)) + 1}, *over)
				case total+uint64(bytes) > limits.MaxQueueBytes:
					require.ErrorAs(t, err, &over)
					require.Equal(t, workers.QuotaError{Setting: "maxQueueBytes", Limit: limits.MaxQueueBytes, Wanted: total + uint64(bytes)}, *over)
				default:
					require.NoError(t, err)
					live, total = append(live, bytes), total+uint64(bytes)
					return
				}
				require.ErrorIs(t, err, workers.ErrWorkerQuotaExceeded)
			},
			"release": func(t *rapid.T) {
				if len(live) == 0 {
					t.Skip("none")
				}
				quota.Release(live[0])
				live, total = live[1:], total-uint64(live[0])
			},
		})
	})
}

func TestLimitsZeroIsTheDefault(t *testing.T) {
	require.Equal(t, workers.WorkerLimits{MaxLiveWorkers: 64, MaxQueueBytes: 64 << 20}, workers.NewQuota(workers.WorkerLimits{}).Limits())
}
