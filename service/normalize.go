package service

import (
	"fmt"
	"time"

	"github.com/JairusSW/pool/autoscale"
	"github.com/JairusSW/pool/strategy"
	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/workers"
)

// normalize returns the options with every default filled in, clamped to the service's ceilings, or an error that names the
// option at fault.
func (o Options) normalize(limits Limits) (Options, error) {
	o.Strategy = orDefault(o.Strategy, strategy.RoundRobin)
	o.Overflow = orDefault(o.Overflow, OverflowSpill)
	o.Restart = orDefault(o.Restart, supervise.OnFailure)
	floorless := o.MinWorkers == NoWorkers
	if floorless {
		o.MinWorkers = 0
	} else {
		o.MinWorkers = orDefault(o.MinWorkers, 1)
	}
	o.MaxRestarts = orDefault(o.MaxRestarts, DefaultMaxRestarts)
	o.RestartWindow = orDefault(o.RestartWindow, supervise.DefaultWindow)
	o.RingReplicas = orDefault(o.RingReplicas, DefaultRingReplicas)
	o.Worker.QueueCapacity = orDefault(o.Worker.QueueCapacity, workers.DefaultWorkerQueueCapacity)
	o.Worker.MaxPayloadBytes = orDefault(o.Worker.MaxPayloadBytes, workers.DefaultWorkerMaxPayloadBytes)
	o.Worker.MaxQueueBytes = orDefault(o.Worker.MaxQueueBytes, workers.DefaultWorkerMaxQueueBytes)
	o.ScaleDownDelay = orDefault(o.ScaleDownDelay, autoscale.DefaultDelay)
	if o.MaxWorkers == 0 && o.TargetPerWorker > 0 {
		o.MaxWorkers = max(OptimalWorkers(), o.MinWorkers)
	}
	o.MaxWorkers = orDefault(o.MaxWorkers, o.MinWorkers)
	if floorless && o.Strategy == strategy.Broadcast {
		return Options{}, &OptionError{Option: "MinWorkers", Value: "NoWorkers", Bound: "with the Broadcast strategy, whose tasks are not parked"}
	}
	if floorless && o.TargetPerWorker == 0 {
		return Options{}, &OptionError{Option: "MinWorkers", Value: "NoWorkers", Bound: "without a TargetPerWorker"}
	}
	for _, check := range []func(*Options) error{
		checkChoices, checkSize, checkMailbox, checkRing, checkRestarts,
	} {
		if err := check(&o); err != nil {
			return Options{}, err
		}
	}
	ceiling := limits.workersPerPool()
	if o.MinWorkers > ceiling {
		return Options{}, ErrPoolWorkerLimit
	}
	o.MaxWorkers = min(o.MaxWorkers, ceiling)
	return o, nil
}

func checkChoices(o *Options) error {
	switch {
	case !o.Strategy.Valid():
		return &OptionError{Option: "Strategy", Value: uint8(o.Strategy), Bound: "not in 1 to 6"}
	case !overflowNames.known(o.Overflow):
		return &OptionError{Option: "Overflow", Value: uint8(o.Overflow), Bound: "not in 1 to 3"}
	case !o.Restart.Valid():
		return &OptionError{Option: "Restart", Value: uint8(o.Restart), Bound: "not in 1 to 3"}
	}
	return nil
}

func checkSize(o *Options) error {
	if o.MaxWorkers < o.MinWorkers {
		return &OptionError{Option: "MaxWorkers", Value: o.MaxWorkers, Bound: fmt.Sprintf("below MinWorkers %d", o.MinWorkers)}
	}
	return nil
}

func checkMailbox(o *Options) error {
	for _, field := range []struct {
		name       string
		value, max uint32
	}{
		{"Worker.QueueCapacity", o.Worker.QueueCapacity, workers.MaxWorkerQueueCapacity},
		{"Worker.MaxPayloadBytes", o.Worker.MaxPayloadBytes, workers.MaxWorkerPayloadBytes},
		{"Worker.MaxQueueBytes", o.Worker.MaxQueueBytes, workers.MaxWorkerQueueBytes},
	} {
		if field.value > field.max {
			return &OptionError{Option: field.name, Value: field.value, Bound: fmt.Sprintf("above %d", field.max)}
		}
	}
	if o.Worker.MaxQueueBytes < o.Worker.MaxPayloadBytes {
		return &OptionError{
			Option: "Worker.MaxQueueBytes", Value: o.Worker.MaxQueueBytes,
			Bound: fmt.Sprintf("below Worker.MaxPayloadBytes %d", o.Worker.MaxPayloadBytes),
		}
	}
	return nil
}

func checkRing(o *Options) error {
	if o.RingReplicas > MaxRingReplicas {
		return &OptionError{Option: "RingReplicas", Value: o.RingReplicas, Bound: fmt.Sprintf("above %d", MaxRingReplicas)}
	}
	return nil
}

func checkRestarts(o *Options) error {
	for _, field := range []struct {
		name  string
		value time.Duration
	}{
		{"RestartWindow", o.RestartWindow},
		{"RestartBackoff.Base", o.RestartBackoff.Base},
		{"RestartBackoff.Max", o.RestartBackoff.Max},
		{"TaskTimeout", o.TaskTimeout},
		{"ScaleDownDelay", o.ScaleDownDelay},
	} {
		if field.value < 0 {
			return &OptionError{Option: field.name, Value: field.value, Bound: "below 0"}
		}
	}
	if b := o.RestartBackoff; b.Max > 0 && b.Max < b.Base {
		return &OptionError{Option: "RestartBackoff.Max", Value: b.Max, Bound: fmt.Sprintf("below RestartBackoff.Base %v", b.Base)}
	} else if b.Max > 0 && b.Base == 0 {
		return &OptionError{Option: "RestartBackoff.Base", Value: b.Base, Bound: fmt.Sprintf("0 with a RestartBackoff.Max of %v", b.Max)}
	}
	return nil
}
