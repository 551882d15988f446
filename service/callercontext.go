package service

import (
	"context"

	"github.com/wago-org/wago"
)

// CallerContext implements Service.
func (s *Pools) CallerContext(caller wago.HostModule) (context.Context, context.CancelFunc, error) {
	if err := s.active(); err != nil {
		return nil, nil, err
	}
	var closing <-chan struct{}
	err := s.lease(func(w port) error {
		var err error
		closing, err = w.closing(caller)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-closing:
			cancel(ErrCallerEnding)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(context.Canceled)
		<-ended
	}, nil
}
