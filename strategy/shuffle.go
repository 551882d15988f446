package strategy

// shuffler visits 0 … n-1, each once, in many different orders, with arithmetic alone: it starts anywhere
// and goes on by a stride that has no divisor in common with n.
type shuffler struct {
	n       uint32
	strides [8]uint32
}

// order is one way through a shuffler's numbers: the start in the upper half, the stride in the lower. Bit
// 63 is free, for nobody has 2^31 slots.
type order uint64

// start is the first number of an order.
func (o order) start() uint32 { return uint32(o >> 32) }

// newShuffler draws the strides it will use. One of 0 numbers must not be asked for an order.
func newShuffler(n uint32, seed uint64) shuffler {
	s := shuffler{n: n}
	for i := range s.strides {
		s.strides[i] = coprime(n, mix(seed+uint64(i)*golden))
	}
	return s
}

// draw turns a random word into an order.
func (s *shuffler) draw(word uint64) order {
	return order(uint64(below(word, s.n))<<32 | uint64(s.strides[word%uint64(len(s.strides))]))
}

// at returns the i-th number of an order.
func (s *shuffler) at(o order, i uint32) uint32 {
	return uint32((uint64(o.start()) + uint64(uint32(o))*uint64(i)) % uint64(s.n))
}

// from returns the order that goes on from the i-th number of o.
func (s *shuffler) from(o order, i uint32) order {
	return order(uint64(s.at(o, i))<<32 | uint64(uint32(o)))
}

// coprime returns a number from 1 to n-1 with no divisor in common with n, or 1 for n up to 2.
func coprime(n uint32, word uint64) uint32 {
	if n <= 2 {
		return 1
	}
	for c := 1 + below(word, n-1); ; c = c%(n-1) + 1 {
		if gcd(c, n) == 1 {
			return c
		}
	}
}

func gcd(a, b uint32) uint32 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
