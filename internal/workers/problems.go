package workers

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

const problemsKept = 16

// problems are errors that nobody was there to return. The first few are kept whole. Of the rest the causes are kept, which
// errors.Is finds, and neither texts nor stacks. What bounds them is how many different causes there are: a constant counts
// once, however often it comes, but one that is made anew for each failure counts each time. Not safe for concurrent use; its
// owner guards it.
type problems struct {
	kept  []error
	more  omitted
	known map[error]struct{} // the causes in more that can be compared
}

// add takes an error and its causes.
func (p *problems) add(err error, causes []error) {
	if len(p.kept) < problemsKept {
		p.kept = append(p.kept, err)
		return
	}
	p.more.count++
	for _, cause := range causes {
		if p.isNew(cause) {
			p.more.causes = append(p.more.causes, cause)
		}
	}
}

func (p *problems) isNew(cause error) bool {
	if !reflect.ValueOf(cause).Comparable() {
		return true
	}
	if _, ok := p.known[cause]; ok {
		return false
	}
	if p.known == nil {
		p.known = make(map[error]struct{})
	}
	p.known[cause] = struct{}{}
	return true
}

func (p *problems) join() error {
	all := slices.Clone(p.kept)
	if p.more.count > 0 {
		all = append(all, &omitted{count: p.more.count, causes: slices.Clone(p.more.causes)})
	}
	return errors.Join(all...)
}

// omitted stands for errors that were not kept. It matches what they match.
type omitted struct {
	count  uint64
	causes []error
}

// Error says how many they are.
func (o *omitted) Error() string { return fmt.Sprintf("and %d more", o.count) }

// Unwrap returns their causes.
func (o *omitted) Unwrap() []error { return o.causes }

// causesOf returns what errors.Is can find in err: the errors that wrap none, and those that decide for themselves. It runs
// their code, so no lock may be held. One that panics in it, such as a nil pointer, is left out: errors.Is would panic as well.
func causesOf(err error) (causes []error) {
	defer func() {
		if recover() != nil {
			causes = nil
		}
	}()
	wrapped := unwrap(err)
	if _, decides := err.(interface{ Is(error) bool }); decides || len(wrapped) == 0 {
		causes = append(causes, err)
	}
	for _, inner := range wrapped {
		causes = append(causes, causesOf(inner)...)
	}
	return causes
}

func unwrap(err error) []error {
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		if inner := err.Unwrap(); inner != nil {
			return []error{inner}
		}
	case interface{ Unwrap() []error }:
		return slices.DeleteFunc(slices.Clone(err.Unwrap()), func(inner error) bool { return inner == nil })
	}
	return nil
}
