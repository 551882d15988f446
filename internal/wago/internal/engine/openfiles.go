package engine

import (
	"io/fs"
	"sync"
)

// openFiles remembers what a start section opens. When that fails wazero drops
// the half-made module without closing its files; afterwards it looks after them
// itself.
type openFiles struct {
	// set once
	fs fs.FS

	// mu guards what follows.
	mu      sync.Mutex
	settled bool
	files   []fs.File
}

// Open implements fs.FS.
func (o *openFiles) Open(name string) (fs.File, error) {
	f, err := o.fs.Open(name)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.settled {
		o.files = append(o.files, f)
	}
	return f, nil
}

// settle forgets the files; with closing, it closes them first, the ones again
// that the guest has closed itself.
func (o *openFiles) settle(closing bool) {
	if o == nil {
		return
	}
	o.mu.Lock()
	files := o.files
	o.files, o.settled = nil, true
	o.mu.Unlock()
	if !closing {
		return
	}
	for _, f := range files {
		_ = f.Close()
	}
}
