package strategy

// broadcast takes every eligible slot, in slot order.
type broadcast struct{}

var _ Picker = broadcast{}

func (broadcast) View(prev *View, entries []Entry) *View { return newView(prev, entries) }

func (broadcast) First(v *View, _ uint64) (int, Walk) {
	if len(v.eligible) == 0 {
		return -1, Walk{}
	}
	return v.choose(0)
}

func (broadcast) Next(v *View, w Walk) (int, Walk) { return v.around(w) }
