package semrange

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// numberBits bounds the parts of a version in a range: npm's numbers are exact up to 2^53-1, and one more must still fit.
const numberBits = 53

// partial is a version of which the tail may be left out.
type partial struct {
	known      int // how many of major, minor, patch are given: 0 to 3
	part       [3]uint64
	prerelease string // only with all three
}

// newPartial takes the texts of the three parts. x, X, * or nothing frees a part; after a free one no number may follow.
func newPartial(parts []string, prerelease string) (partial, error) {
	var p partial
	free := false
	for _, text := range parts {
		if strings.Contains("xX*", text) {
			free = true
			continue
		}
		if free {
			return p, fmt.Errorf("number %s after a free part", text)
		}
		number, err := strconv.ParseUint(text, 10, numberBits)
		if err != nil {
			return p, err
		}
		p.part[p.known] = number
		p.known++
	}
	if !free {
		p.prerelease = prerelease
	}
	return p, nil
}

// lowest is the first version the partial stands for.
func (p partial) lowest() *semver.Version {
	return semver.New(p.part[0], p.part[1], p.part[2], p.prerelease, "")
}

// after is the first release in which one of the first n parts is higher.
func (p partial) after(n int) *semver.Version {
	next := [3]uint64{}
	copy(next[:], p.part[:n])
	next[n-1]++
	return semver.New(next[0], next[1], next[2], "", "")
}

// before is the bound that keeps out the release after(n) and all its prereleases.
func (p partial) before(n int) comparator {
	next := p.after(n)
	return comparator{less, semver.New(next.Major(), next.Minor(), next.Patch(), "0", "")}
}

// span is every version from the lowest up to where one of the first n parts changes.
func (p partial) span(n int) group {
	return group{{greaterOrEqual, p.lowest()}, p.before(n)}
}
