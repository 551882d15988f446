package puppet

import (
	"sync"

	wago "github.com/wago-org/wago"

	"github.com/JairusSW/pool/internal/workerstest"
)

// Owner is an instance that is parked in a host call, so that its caller is live: what a pool's creator is.
//
// Safe for concurrent use.
type Owner struct {
	// Caller is good until the owner leaves or closes.
	Caller wago.HostModule

	stage    *Stage
	instance workerstest.Owner
	leave    func()
	left     chan struct{}
}

// Owner opens an instance and parks it.
func (s *Stage) Owner() (*Owner, error) {
	instance, err := s.Harness.Owner()
	if err != nil {
		return nil, err
	}
	leave := make(chan struct{})
	o := &Owner{
		stage: s, instance: instance, left: make(chan struct{}), leave: sync.OnceFunc(func() { close(leave) }),
	}
	arrived := make(chan struct{})
	go func() {
		defer close(o.left)
		_ = instance.Call(func(caller wago.HostModule) { // refused: it closes
			o.Caller = caller
			close(arrived)
			select {
			case <-leave:
			case <-s.closing(caller):
			case <-s.cut:
			}
		})
	}()
	select {
	case <-arrived:
	case <-o.left:
		return nil, wago.ErrInstanceClosed
	}
	return o, nil
}

// Leave ends the host call: the caller has expired when it returns.
func (o *Owner) Leave() {
	o.leave()
	<-o.left
}

// Close closes the instance. It returns when its workers have gone, so call it by Stage.Go. Where Workers can't tell the
// owner that it closes, it leaves first.
func (o *Owner) Close() error {
	if _, ok := o.stage.Harness.Service().(workerstest.Closer); !ok {
		o.Leave()
	}
	return o.instance.Close()
}
