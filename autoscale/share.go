package autoscale

// Claim is what one pool asks of a budget.
//
// Safe for concurrent use while nobody changes it.
type Claim struct {
	// Floor is what the pool gets whatever the budget is.
	Floor uint32
	// Want is what its load calls for, as [Desired] says.
	Want uint32
	// Hold is what it would rather keep for now, as its [Damper] says: above Want while a lower size is
	// pending. It is given only what no other pool wants.
	Hold uint32
}

// Share deals out a budget and returns what each claim gets, in the order of claims.
//
// Everybody gets its Floor, even if the floors alone exceed the budget. The rest goes to those that Want
// more, max-min fairly: nobody gets more than it wants, and nobody who wants more has less than another,
// unless by that one's Floor (Bertsekas and Gallager: Data Networks, 1992). What then remains goes, in the
// same manner, to those whose Hold is above that. The last places of a round that can't be split go to the
// earlier claims: give claims in an order that doesn't change.
//
// Safe for concurrent use.
func Share(budget uint32, claims []Claim) []uint32 {
	got := make([]uint32, len(claims))
	for i, c := range claims {
		got[i] = c.Floor
	}
	fill(budget, got, func(i int) uint32 { return claims[i].Want })
	fill(budget, got, func(i int) uint32 { return claims[i].Hold })
	return got
}

// fill raises what everybody has got, the lowest first, up to its upper, until the budget is used up.
func fill(budget uint32, got []uint32, upper func(int) uint32) {
	at := func(i int, level uint32) uint32 { return max(got[i], min(upper(i), level)) }
	left := func(level uint32) int64 {
		sum := int64(budget)
		for i := range got {
			sum -= int64(at(i, level))
		}
		return sum
	}
	// The highest level the budget pays for lies in low … high.
	low, high := uint32(0), budget
	for low < high {
		if level := high - (high-low)/2; left(level) >= 0 {
			low = level
		} else {
			high = level - 1
		}
	}
	rest := left(low)
	for i := range got {
		got[i] = at(i, low)
	}
	for i := range got {
		if rest > 0 && got[i] == low && upper(i) > low {
			got[i]++
			rest--
		}
	}
}
