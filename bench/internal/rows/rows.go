package rows

import (
	"slices"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// Guests are the guests that are measured; their sources say what they do.
type Guests struct{ Trivial, Microsecond, SHA256, Loop, Memory16 []byte }

// All returns every row, in the order of the report.
func All(g Guests) []measure.Row {
	return slices.Concat(
		about("What a task costs",
			submitRows(g), growthRows(g), allocationRows(g), roundTripRows(g), producerRows(g), coreRows(g), statsRows(g)),
		about("What a worker costs", createRows(g), forkRows(g), residentRows(g), recoveryRows(g)),
		about("What you would get without it", pipelineRows(g), todayRows(g), alternativeRows(g), callerRows(g)),
		about("What it costs that guests can be stopped", interruptionRows(g), collectionRows(g)),
	)
}

// about gives rows their topic.
func about(topic string, families ...[]measure.Row) []measure.Row {
	all := slices.Concat(families...)
	for i := range all {
		all[i].Topic = topic
	}
	return all
}
