package rows

import "sync/atomic"

// failure keeps the first error of many goroutines; looking whether there is one costs next to nothing.
//
// Safe for concurrent use.
type failure struct{ first atomic.Pointer[error] }

func (f *failure) note(err error) {
	if err != nil {
		f.first.CompareAndSwap(nil, &err)
	}
}

func (f *failure) err() error {
	if err := f.first.Load(); err != nil {
		return *err
	}
	return nil
}

// first returns the first error there is.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
