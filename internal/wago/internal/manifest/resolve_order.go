package manifest

import (
	"maps"
	"slices"
	"strings"
)

// checkReachable is check 6: it walks from the direct selections to all they need.
func (r *resolver) checkReachable() error {
	reached := map[string]bool{}
	var next []string
	for _, id := range r.order {
		if r.chosen[id].selection.Direct {
			next = append(next, id)
		}
	}
	for len(next) > 0 {
		id := next[len(next)-1]
		next = next[:len(next)-1]
		if !reached[id] {
			reached[id] = true
			next = slices.AppendSeq(next, maps.Keys(r.chosen[id].needs))
		}
	}
	for _, id := range r.order {
		if !reached[id] {
			return pluginError(id, PluginPhaseResolve, mismatch("direct", "false, and no direct selection needs it"))
		}
	}
	return nil
}

// sort is check 7: Kahn's algorithm (A. B. Kahn, Topological sorting of large networks, 1962), taking the lexically first of
// those that could come next.
func (r *resolver) sort() error {
	waits, neededBy := r.edges()
	var ready []string // in lexical order
	for _, id := range r.order {
		if waits[id] == 0 {
			ready = append(ready, id)
		}
	}
	sorted := make([]string, 0, len(r.order))
	for len(ready) > 0 {
		id := ready[0]
		ready = ready[1:]
		sorted = append(sorted, id)
		delete(waits, id)
		for _, user := range neededBy[id] {
			if waits[user]--; waits[user] == 0 {
				place, _ := slices.BinarySearch(ready, user)
				ready = slices.Insert(ready, place, user)
			}
		}
	}
	if len(waits) > 0 {
		return r.cycle(waits)
	}
	r.order = sorted
	return nil
}

// edges counts for each plugin the ones it waits for, and lists those that wait for it.
func (r *resolver) edges() (waits map[string]int, neededBy map[string][]string) {
	waits, neededBy = map[string]int{}, map[string][]string{}
	for _, id := range r.order {
		waits[id] = len(r.chosen[id].needs)
		for need := range r.chosen[id].needs {
			neededBy[need] = append(neededBy[need], id)
		}
	}
	return waits, neededBy
}

// cycle names one circle among the plugins that could not be sorted, always the same one. Each of them waits for another, so
// following the lexically first of those must come back to where it has been.
func (r *resolver) cycle(waiting map[string]int) error {
	id := slices.Min(slices.Collect(maps.Keys(waiting)))
	visited := map[string]int{}
	var way []string
	for {
		if start, again := visited[id]; again {
			way = append(way[start:], id)
			return pluginError(id, PluginPhaseResolve, failed(ErrDependencyCycle, "", "%s", strings.Join(way, " needs ")))
		}
		visited[id] = len(way)
		way = append(way, id)
		for _, need := range slices.Sorted(maps.Keys(r.chosen[id].needs)) {
			if _, waits := waiting[need]; waits {
				id = need
				break
			}
		}
	}
}
