// Package run runs a guest over a stream of records, in parallel and supervised.
//
// One record's way: the reader (reader.go) gets a ticket for it and hands it to one of the lanes; the lane waits in Pool's Call
// for the answer (lane.go) and settles the ticket; the ordered queue brings the outcomes back into order and the writer (writer.go)
// prints them. The number of lanes and the queue's limits bound what is under way, so that memory stays flat; a full pool makes the
// lanes wait, and busy lanes make the reader wait. Nothing polls.
//
// The goroutines of a run belong to the guest's call of pool.serve (serve.go), which ends when all of them have. The one exception
// is the reader: a read that nothing can interrupt is left alone when the run ends before its input does.
package run
