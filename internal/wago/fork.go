package wago

import "fmt"

// adopted ties a fork under construction to its creator, whose close stops it from then on.
func (in *Instance) adopted() error {
	creator := in.creator
	if creator == nil {
		return nil
	}
	creator.mu.Lock()
	defer creator.mu.Unlock()
	if creator.signalled != nil {
		return creatorCloses(creator.signalled)
	}
	if creator.forks == nil {
		creator.forks = make(map[*Instance]struct{})
	}
	creator.forks[in] = struct{}{}
	return nil
}

// weaned unties a fork when its construction has ended, one way or the other: it must not keep its creator, nor its
// creator's creator, from being collected.
func (in *Instance) weaned() {
	creator := in.creator
	if creator == nil {
		return
	}
	in.creator = nil
	creator.mu.Lock()
	defer creator.mu.Unlock()
	delete(creator.forks, in)
}

func creatorCloses(cause error) error { return fmt.Errorf("%w: the creator closes", cause) }
