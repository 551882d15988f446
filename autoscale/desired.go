package autoscale

// Desired returns the size a pool wants for a load: ceil(load / target), but at least least and at most
// most. target is the number of tasks, queued and running, that each worker is to have. With a target of 0
// nothing follows from the load, and the size is least. Where the bounds contradict each other, most wins.
//
// Safe for concurrent use.
func Desired(load uint64, target, least, most uint32) uint32 {
	var size uint64
	if target > 0 {
		size = load / uint64(target)
		if load%uint64(target) > 0 {
			size++
		}
	}
	return uint32(min(max(size, uint64(least)), uint64(most)))
}
