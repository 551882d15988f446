package rows

import (
	"context"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// supervise has the host's owner supervise the pool until the row has been measured.
func supervise(b *measure.Bench, h *host.Host, p *host.Pool) {
	ctx, cancel := context.WithCancel(b.Context)
	ended := make(chan error, 1)
	go func() {
		ended <- h.WithPools(func(s pool.Service) error { return s.Supervise(ctx, h.Caller, p.ID) })
	}()
	b.OnClose(func() error {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})
}
