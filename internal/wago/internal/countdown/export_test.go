package countdown

import "github.com/wago-org/wago/internal/engine/binfmt"

// RewriteEvery is Rewrite with a counter of that many units, so that guests leave
// their code as often as a test likes.
func RewriteEvery(units int32, o *binfmt.Outline, wasm []byte) ([]byte, error) {
	return rewrite(o, wasm, units)
}

// Point is where a body counts down, and by how much.
type Point struct {
	At   int
	Cost int32
}

// Points returns where a body, locals included, will count down.
func Points(body []byte) ([]Point, error) {
	edits, err := plan(body)
	var points []Point
	for _, e := range edits {
		if e.act == actCount && e.cost > 0 {
			points = append(points, Point{e.at, e.cost})
		}
	}
	return points, err
}

// Full is what Rewrite fills the counter up to; PieceBytes is how much memory is
// filled or copied at once.
const (
	Full       = full
	PieceBytes = pieceBytes
)
