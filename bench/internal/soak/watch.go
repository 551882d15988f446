package soak

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"
)

// patience is how long any call may take here: all are bounded by contexts and graces of at most a few seconds, so this one is
// for machines that do much else.
const patience = 90 * time.Second

// watch knows which calls are under way, so that one that never returns is found.
//
// Safe for concurrent use.
type watch struct {
	mu    sync.Mutex
	posts map[*post]bool // guarded by mu
}

// post is where one goroutine says what it does.
//
// Safe for concurrent use, but for begin and end, which belong to that goroutine.
type post struct {
	watch *watch
	name  string

	mu    sync.Mutex
	what  string    // guarded by mu: the call under way; empty: none
	since time.Time // guarded by mu
}

func newWatch() *watch { return &watch{posts: make(map[*post]bool)} }

// post opens a post. Leave it.
func (w *watch) post(name string) *post {
	p := &post{watch: w, name: name}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.posts[p] = true
	return p
}

func (p *post) leave() {
	p.watch.mu.Lock()
	defer p.watch.mu.Unlock()
	delete(p.watch.posts, p)
}

func (p *post) begin(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.since = what, time.Now()
}

func (p *post) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = ""
}

// overdue returns an error for each call that has been under way for longer than limit.
func (w *watch) overdue(now time.Time, limit time.Duration) (late []error) {
	w.mu.Lock()
	posts := slices.Collect(maps.Keys(w.posts))
	w.mu.Unlock()
	for _, p := range posts {
		p.mu.Lock()
		if took := now.Sub(p.since); p.what != "" && took > limit {
			late = append(late, fmt.Errorf("%s: %s has not returned for %v", p.name, p.what, took.Round(time.Second)))
		}
		p.mu.Unlock()
	}
	return late
}

// stacks is what every goroutine does.
func stacks() []byte {
	text := make([]byte, 8<<20)
	return text[:runtime.Stack(text, true)]
}
