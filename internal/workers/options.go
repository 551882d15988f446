package workers

import "fmt"

// The defaults and maxima of [WorkerOptions], and the service's own limits.
const (
	DefaultWorkerQueueCapacity   uint32 = 64       // messages
	DefaultWorkerMaxPayloadBytes uint32 = 65_536   // bytes
	DefaultWorkerMaxQueueBytes   uint32 = 1 << 20  // bytes
	MaxWorkerQueueCapacity       uint32 = 65_536   // messages
	MaxWorkerPayloadBytes        uint32 = 16 << 20 // bytes
	MaxWorkerQueueBytes          uint32 = 64 << 20 // bytes
	DefaultMaxLiveWorkers        uint32 = 64       // workers
	DefaultMaxServiceQueueBytes  uint64 = 64 << 20 // bytes
)

// WorkerOptions bound a worker's mailbox. Zero means the default.
type WorkerOptions struct {
	// QueueCapacity is how many messages the mailbox holds. Defaults to DefaultWorkerQueueCapacity, at most
	// MaxWorkerQueueCapacity (messages).
	QueueCapacity uint32
	// MaxPayloadBytes is the longest payload. Defaults to DefaultWorkerMaxPayloadBytes, at most MaxWorkerPayloadBytes
	// (bytes).
	MaxPayloadBytes uint32
	// MaxQueueBytes is how many payload bytes the mailbox holds, and what the worker is charged with as long as it lives. At
	// least MaxPayloadBytes. Defaults to DefaultWorkerMaxQueueBytes, at most MaxWorkerQueueBytes (bytes).
	MaxQueueBytes uint32
}

// WorkerLimits are the ceilings of one service. Zero means the default.
type WorkerLimits struct {
	// MaxLiveWorkers is how many workers may live. Defaults to DefaultMaxLiveWorkers (workers).
	MaxLiveWorkers uint32
	// MaxQueueBytes is the sum of MaxQueueBytes of the workers that live. Defaults to DefaultMaxServiceQueueBytes (bytes).
	MaxQueueBytes uint64
}

func (o WorkerOptions) normalize() (WorkerOptions, error) {
	for _, field := range []struct {
		name          string
		value         *uint32
		fallback, max uint32
	}{
		{"QueueCapacity", &o.QueueCapacity, DefaultWorkerQueueCapacity, MaxWorkerQueueCapacity},
		{"MaxPayloadBytes", &o.MaxPayloadBytes, DefaultWorkerMaxPayloadBytes, MaxWorkerPayloadBytes},
		{"MaxQueueBytes", &o.MaxQueueBytes, DefaultWorkerMaxQueueBytes, MaxWorkerQueueBytes},
	} {
		if *field.value == 0 {
			*field.value = field.fallback
		}
		if *field.value > field.max {
			return o, fmt.Errorf("%w: %s is %d, at most %d", ErrInvalidWorkerOptions, field.name, *field.value, field.max)
		}
	}
	if o.MaxQueueBytes < o.MaxPayloadBytes {
		return o, fmt.Errorf("%w: MaxQueueBytes is %d, at least MaxPayloadBytes, which is %d",
			ErrInvalidWorkerOptions, o.MaxQueueBytes, o.MaxPayloadBytes)
	}
	return o, nil
}

func (l WorkerLimits) normalize() WorkerLimits {
	if l.MaxLiveWorkers == 0 {
		l.MaxLiveWorkers = DefaultMaxLiveWorkers
	}
	if l.MaxQueueBytes == 0 {
		l.MaxQueueBytes = DefaultMaxServiceQueueBytes
	}
	return l
}
