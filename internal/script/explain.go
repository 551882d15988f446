package script

import (
	"context"
	"errors"
	"fmt"
	"strings"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

// sentinels are the errors that scripts know by name, in the order in which several are named.
var sentinels = []struct {
	name string
	err  error
}{
	{"ErrPoolsInactive", service.ErrPoolsInactive},
	{"ErrPoolsClosed", service.ErrPoolsClosed},
	{"ErrWorkersUnavailable", service.ErrWorkersUnavailable},
	{"ErrPoolNotFound", service.ErrPoolNotFound},
	{"ErrPoolEmpty", service.ErrPoolEmpty},
	{"ErrPoolDraining", service.ErrPoolDraining},
	{"ErrPoolBackpressure", service.ErrPoolBackpressure},
	{"ErrPoolLimit", service.ErrPoolLimit},
	{"ErrPoolWorkerLimit", service.ErrPoolWorkerLimit},
	{"ErrPoolOwner", service.ErrPoolOwner},
	{"ErrPoolSupervised", service.ErrPoolSupervised},
	{"ErrPoolHalted", service.ErrPoolHalted},
	{"ErrPoolDestroyed", service.ErrPoolDestroyed},
	{"ErrPoolWorkersRemain", service.ErrPoolWorkersRemain},
	{"ErrPoolNotDrained", service.ErrPoolNotDrained},
	{"ErrInvalidPoolOptions", service.ErrInvalidPoolOptions},
	{"ErrNoTask", service.ErrNoTask},
	{"ErrTaskFailed", service.ErrTaskFailed},
	{"ErrTaskTimeout", service.ErrTaskTimeout},
	{"ErrTasksDropped", service.ErrTasksDropped},
	{"ErrPayloadTooLarge", service.ErrPayloadTooLarge},
	{"ErrInvalidWorkerCaller", workers.ErrInvalidWorkerCaller},
	{"ErrWorkerNotFound", workers.ErrWorkerNotFound},
	{"ErrWorkerStopping", workers.ErrWorkerStopping},
	{"ErrWorkerQueueFull", workers.ErrWorkerQueueFull},
	{"ErrWorkerDispatchActive", workers.ErrWorkerDispatchActive},
	{"ErrInvalidWorkerLink", workers.ErrInvalidWorkerLink},
	{"ErrWorkerKilled", workers.ErrWorkerKilled},
	{"ErrWorkerParentClosed", workers.ErrWorkerParentClosed},
	{"ErrWorkerRuntimeClosed", workers.ErrWorkerRuntimeClosed},
	{"ErrWorkerQuotaExceeded", workers.ErrWorkerQuotaExceeded},
	{"Canceled", context.Canceled},
	{"DeadlineExceeded", context.DeadlineExceeded},
	{"aborted", workerstest.ErrAborted},
	{"refused", errRefused},
	{"cause", errCause},
}

// Errors that scripts make.
const (
	errRefused service.Error = "script: refused"   // by the verb refuse
	errCause   service.Error = "script: the cause" // given to Fail
)

// explain names an error so that the fake and the real Workers give the same text. A sentinel that is returned as it is
// stands alone; what is found inside an error stands in brackets.
func explain(err error) string {
	if err == nil {
		return "ok"
	}
	if name := sentinel(err); name != "" {
		return name
	}
	if task := (*service.TaskError)(nil); errors.As(err, &task) {
		return explainTask(task)
	}
	found := inside(err)
	if len(found) == 0 {
		return "[another error]" // its text is whoever's that made it
	}
	return "[" + strings.Join(found, ", ") + "]"
}

// sentinel is the name of an error that is returned as it is; "" when it is another.
func sentinel(err error) string {
	for _, s := range sentinels {
		if err == s.err {
			return s.name
		}
	}
	return ""
}

func explainTask(e *service.TaskError) string {
	text := fmt.Sprintf("TaskError %s task %d", explain(e.Kind), e.Tag)
	if e.Worker != 0 {
		text += fmt.Sprintf(" worker %d", e.Worker)
	}
	text += fmt.Sprintf(" attempt %d", e.Attempt)
	if e.Pending {
		text += " pending"
	}
	if e.Err != nil {
		text += ": " + explain(e.Err)
	}
	return text
}

// inside lists what an error wraps. Of a worker that was stopped only the cause is of interest, and not whether its guest
// had to be interrupted for it.
func inside(err error) (found []string) {
	trap := (*wago.TrapError)(nil)
	trapped := errors.As(err, &trap)
	interrupted := trapped && trap.Code == wago.TrapInterrupted
	for _, s := range sentinels {
		if errors.Is(err, s.err) && !(interrupted && s.err == context.Canceled) {
			found = append(found, s.name)
		}
	}
	if trapped && !(interrupted && len(found) > 0) {
		found = append(found, fmt.Sprintf("trap %d", trap.Code))
	}
	if exit := (*wago.ExitError)(nil); errors.As(err, &exit) {
		found = append(found, fmt.Sprintf("exit %d", exit.Code))
	}
	if option := (*service.OptionError)(nil); errors.As(err, &option) {
		found = append(found, fmt.Sprintf("%s is %v, %s", option.Option, option.Value, option.Bound))
	}
	if limit := (*service.LimitError)(nil); errors.As(err, &limit) {
		found = append(found, fmt.Sprintf("%s allows %d, wanted %d", limit.Setting, limit.Limit, limit.Wanted))
	}
	return found
}
