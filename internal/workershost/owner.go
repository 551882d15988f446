package workershost

import (
	"context"
	"errors"

	wago "github.com/wago-org/wago"

	"github.com/JairusSW/pool/internal/workerstest"
)

// Owner implements workerstest.Harness.
func (h *Host) Owner() (workerstest.Owner, error) {
	h.opening.Store(true)
	defer h.opening.Store(false)
	instance, err := h.runtime.Instantiate(context.Background(), h.module)
	if err != nil {
		return nil, err
	}
	return &owner{h, instance}, nil
}

type owner struct {
	host     *Host
	instance *wago.Instance
}

// Call runs f on the goroutine that runs the guest. A failed requirement in f ends that goroutine, which the caller's has to
// follow.
func (o *owner) Call(f func(wago.HostModule)) error {
	job := o.host.lastJob.Add(1)
	o.host.jobs.Store(job, f)
	defer o.host.jobs.Delete(job)
	_, err := o.instance.Invoke("call", wago.I32(job))
	return err
}

func (o *owner) Close() error {
	if err := o.instance.Close(); !errors.Is(err, wago.ErrInvalidHandle) {
		return err
	}
	return nil
}
