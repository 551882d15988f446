package autoscale

import (
	"cmp"
	"slices"
)

// Worker is a worker of a pool as far as sizing is concerned: one that is routable, or that was cordoned by
// sizing and hasn't been told to stop. Leave out all others.
//
// Safe for concurrent use while nobody changes it.
type Worker struct {
	// Load is what it has to do: tasks queued and running.
	Load int64
	// Cordoned is true if it gets no more tasks.
	Cordoned bool
}

// Step is what is to be done to reach a size. Workers are named by their position in the slice given to
// [Plan].
//
// Safe for concurrent use while nobody changes it.
type Step struct {
	// TakeBack are cordoned workers to be made routable again.
	TakeBack []int
	// Start is how many new workers to start.
	Start uint32
	// Short is how many more would be needed and find no room.
	Short uint32
	// Cordon are routable workers to be cordoned. They finish what they have and are retired at a load of
	// 0.
	Cordon []int
}

// Plan returns the way to size routable workers from those there are. starting is how many more are on
// their way, room how many may be started under every ceiling: whoever is cordoned, stopping or on its way
// takes up room until it is gone.
//
// Cordoned workers are taken back before any is started, those with the most to do first: the others will
// be gone and give their places back sooner. Too many routable workers are cordoned, those with the least
// to do first. Of equals the one with the lower position stays, so that places at the end become free.
// Nobody is cordoned on account of workers still on their way: whoever arrives when the size is reached is
// to be stopped.
//
// Safe for concurrent use.
func Plan(size, starting, room uint32, workers []Worker) Step {
	routable := uint32(0)
	for _, w := range workers {
		if !w.Cordoned {
			routable++
		}
	}
	if routable > size {
		return Step{Cordon: lightest(workers, routable-size)}
	}
	back := heaviest(workers, missing(size, routable, starting))
	step := Fill(size, routable+uint32(len(back)), starting, room)
	step.TakeBack = back
	return step
}

// Fill is [Plan] for a pool without cordoned workers that has no more than size routable ones: nobody is to be taken back or
// cordoned, so that their number is enough.
//
// Safe for concurrent use.
func Fill(size, routable, starting, room uint32) Step {
	need := missing(size, routable, starting)
	start := min(need, room)
	return Step{Start: start, Short: need - start}
}

// missing is how many workers more make up size.
func missing(size, routable, starting uint32) uint32 {
	have := uint64(routable) + uint64(starting)
	return size - uint32(min(have, uint64(size)))
}

// lightest returns n of the routable workers, those with the least load first, of equals the last.
func lightest(workers []Worker, n uint32) []int {
	return first(workers, n, false, func(a, b int) int {
		return cmp.Or(cmp.Compare(workers[a].Load, workers[b].Load), cmp.Compare(b, a))
	})
}

// heaviest returns up to n of the cordoned workers, those with the most load first, of equals the first.
func heaviest(workers []Worker, n uint32) []int {
	return first(workers, n, true, func(a, b int) int {
		return cmp.Or(cmp.Compare(workers[b].Load, workers[a].Load), cmp.Compare(a, b))
	})
}

func first(workers []Worker, n uint32, cordoned bool, order func(a, b int) int) []int {
	if n == 0 {
		return nil
	}
	var found []int
	for i, w := range workers {
		if w.Cordoned == cordoned {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, order)
	return found[:min(uint64(n), uint64(len(found)))]
}
