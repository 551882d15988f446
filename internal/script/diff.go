package script

import "strings"

// diff shows two texts as one: lines of both as they are, lines of the first alone after "-", of the second alone after "+".
func diff(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	same := common(x, y)
	var out strings.Builder
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(x) > 0 && len(y) > 0 && x[0] == y[0]:
			out.WriteString("  " + x[0])
			x, y = x[1:], y[1:]
		case len(y) == 0 || len(x) > 0 && same(len(x)-1, len(y)) >= same(len(x), len(y)-1):
			out.WriteString("- " + x[0])
			x = x[1:]
		default:
			out.WriteString("+ " + y[0])
			y = y[1:]
		}
	}
	return out.String()
}

// common returns how many lines the last i of x and the last j of y have in common, in order.
func common(x, y []string) func(i, j int) int {
	table := make([][]int, len(x)+1)
	for i := range table {
		table[i] = make([]int, len(y)+1)
		for j := range table[i] {
			switch {
			case i == 0 || j == 0:
			case x[len(x)-i] == y[len(y)-j]:
				table[i][j] = table[i-1][j-1] + 1
			default:
				table[i][j] = max(table[i-1][j], table[i][j-1])
			}
		}
	}
	return func(i, j int) int { return table[i][j] }
}
