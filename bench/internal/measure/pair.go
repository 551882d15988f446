package measure

// Costs is the round that measures what an operation costs on each side, in turn. Its figure is what of makes of the costs
// (nanoseconds); the costs are the sides.
func (b *Bench) Costs(of func(costs []float64) float64, sides ...Timed) (Round, error) {
	meters := make([]*Meter, len(sides))
	for i, side := range sides {
		var err error
		if meters[i], err = b.Meter(side); err != nil {
			return nil, err
		}
	}
	return func() (Sample, error) {
		costs := make([]float64, len(meters))
		for i, m := range meters {
			var err error
			if costs[i], err = m.Cost(); err != nil {
				return Sample{}, err
			}
		}
		return Sample{Figure: of(costs), Sides: costs}, nil
	}, nil
}

// CostOver is the round of the figure "what ours costs over what theirs costs".
func (b *Bench) CostOver(ours, theirs Timed) (Round, error) {
	return b.Costs(func(costs []float64) float64 { return costs[0] / costs[1] }, ours, theirs)
}

// RateOver is the round of the figure "how many of ours in a second over how many of theirs"; its sides are these numbers.
func (b *Bench) RateOver(ours, theirs Timed) (Round, error) {
	round, err := b.Costs(func(costs []float64) float64 { return costs[1] / costs[0] }, ours, theirs)
	if err != nil {
		return nil, err
	}
	return func() (Sample, error) {
		s, err := round()
		for i, cost := range s.Sides {
			s.Sides[i] = 1e9 / cost
		}
		return s, err
	}, nil
}
