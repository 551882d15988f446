package soak

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// Resources are what the process holds. A number below 0 can't be had on this system.
type Resources struct {
	Goroutines  int
	Descriptors int   // open file descriptors
	Resident    int64 // bytes of memory, when the Go heap has given back what it can
	Mappings    int   // of memory
}

// What may be there at a run's end beyond what was there after its warm-up: a tenth more, and a constant for what the Go runtime
// keeps for itself (spans, stacks, arenas), which comes and goes with the garbage collector's whim.
const (
	residentSlack = 32 << 20
	mappingSlack  = 64
)

// measure collects garbage twice, which is how long finalizers' leavings take, and reads what there is.
func measure() Resources {
	runtime.GC()
	debug.FreeOSMemory() // collects again
	now := Resources{Goroutines: runtime.NumGoroutine()}
	now.Descriptors, now.Resident, now.Mappings = readProcess()
	return now
}

// settle waits until no more goroutines are left than there were; it returns how many there are.
func settle(were int, limit time.Duration) int {
	for deadline := time.Now().Add(limit); runtime.NumGoroutine() > were && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // nothing tells when a goroutine has gone
	}
	return runtime.NumGoroutine()
}

// leaks says what is left at the end of a run: start is from before it, warm from after its warm-up.
func leaks(start, warm, end Resources) error {
	var errs []error
	if end.Goroutines > start.Goroutines {
		errs = append(errs, fmt.Errorf("%d goroutines are left, there were %d", end.Goroutines, start.Goroutines))
	}
	if end.Descriptors > start.Descriptors {
		errs = append(errs, fmt.Errorf("%d descriptors are open, there were %d", end.Descriptors, start.Descriptors))
	}
	if most := residentBound(warm.Resident); warm.Resident > 0 && end.Resident > most {
		errs = append(errs, fmt.Errorf("%d MiB are resident, after the warm-up there were %d: at most %d are allowed",
			end.Resident>>20, warm.Resident>>20, most>>20))
	}
	if most := warm.Mappings + warm.Mappings/10 + mappingSlack; warm.Mappings > 0 && end.Mappings > most {
		errs = append(errs, fmt.Errorf("there are %d mappings, after the warm-up there were %d: at most %d are allowed",
			end.Mappings, warm.Mappings, most))
	}
	return errors.Join(errs...)
}

// residentBound is how much memory may be resident at the end, for what was after the warm-up.
func residentBound(warm int64) int64 { return warm + warm/10 + residentSlack }
