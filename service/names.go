package service

import "fmt"

// names holds the one spelling of an enumeration's values, by number; an empty text is a number that is not used.
type names[T ~uint8] struct {
	what string
	text []string
}

func (n names[T]) known(v T) bool { return int(v) < len(n.text) && n.text[v] != "" }

func (n names[T]) string(v T) string {
	if !n.known(v) {
		return fmt.Sprintf("%s %d", n.what, uint8(v))
	}
	return n.text[v]
}

func (n names[T]) marshal(v T) ([]byte, error) {
	if !n.known(v) {
		return nil, fmt.Errorf("pool: there is no %s %d", n.what, uint8(v))
	}
	return []byte(n.text[v]), nil
}

func (n names[T]) unmarshal(v *T, text []byte) error {
	for i, name := range n.text {
		if name != "" && name == string(text) {
			*v = T(i)
			return nil
		}
	}
	return fmt.Errorf("pool: there is no %s %q", n.what, text)
}
