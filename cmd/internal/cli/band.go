package cli

import (
	"fmt"

	"github.com/JairusSW/pool"
)

// band is how many workers there are: a fixed number, or as many between the two as the load asks for.
type band struct{ min, max, target uint32 }

// setBand makes a band of --workers, or of --min and --max.
func (c *runCommand) setBand() error {
	for _, flag := range []struct {
		name  string
		value *number
		least number
	}{{"workers", c.Workers, 1}, {"min", c.Min, 0}, {"max", c.Max, 1}} {
		if flag.value == nil {
			continue
		}
		if err := flag.value.within(flag.name, flag.least, mostWorkers); err != nil {
			return err
		}
	}
	optimal := min(pool.OptimalWorkers(), uint32(mostWorkers))
	switch {
	case c.Workers != nil && (c.Min != nil || c.Max != nil):
		return fmt.Errorf("--workers %d is --min %d --max %d: give either the one or the others", *c.Workers, *c.Workers, *c.Workers)
	case c.Workers != nil:
		c.band = band{min: uint32(*c.Workers), max: uint32(*c.Workers)}
		return nil
	case c.Min == nil && c.Max == nil && c.Target == nil:
		c.band = band{min: optimal, max: optimal}
		return nil
	}
	c.band.min = uint32(c.Min.or(1))
	c.band.max = uint32(c.Max.or(number(max(optimal, c.band.min))))
	if c.band.min > c.band.max {
		return fmt.Errorf("--min %d is above --max %d", c.band.min, c.band.max)
	}
	return nil
}

// setTarget checks --target against the band and the mailboxes: a load that no worker can have asks for no other.
func (c *runCommand) setTarget() error {
	if c.Target != nil {
		if err := c.Target.within("target", 1, c.Queue); err != nil {
			return fmt.Errorf("%w (--queue)", err)
		}
		if c.Workers != nil || c.Min != nil && c.Max != nil && *c.Min == *c.Max {
			return fmt.Errorf("--target %d needs room between --min and --max, and there are always %d workers", *c.Target, c.band.min)
		}
	}
	c.band.target = uint32(c.Target.or(1))
	return nil
}
