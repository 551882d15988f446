// Package ordered brings results that come in any order back into the order of their inputs, in bounded memory.
//
// A reader asks Admit for a place for each input, one after the other; whoever finishes an input calls Settle with its ticket;
// one goroutine in Run hands the results to a sink, in order of admission or as they come. The bound is kept at the door: Admit
// waits while too many inputs, or too many bytes of inputs and results, are between the reader and the sink. Nothing ever waits
// in Settle, so no order of finishing can lock the pipeline.
package ordered
