package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/run"
)

// textSummary says in one line how a run went.
func textSummary(r run.Report, unit string) string {
	parts := []string{fmt.Sprintf("%d done", r.Done)}
	if r.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", r.Failed))
	}
	if r.Unwritten > 0 {
		parts = append(parts, fmt.Sprintf("%d not written", r.Unwritten))
	}
	if r.Left > 0 {
		parts = append(parts, fmt.Sprintf("%d not run", r.Left))
	}
	text := fmt.Sprintf("pool: %s: %s", counted(r.Read, unit), strings.Join(parts, ", "))
	text += fmt.Sprintf(" in %s (%.0f/s)", r.Elapsed.Round(time.Millisecond), float64(r.Done+r.Failed)/r.Elapsed.Seconds())
	if r.Pool.Restarted > 0 {
		text += fmt.Sprintf(", %s replaced", counted(r.Pool.Restarted, "worker"))
	}
	if r.Interrupted {
		text += ", interrupted"
	}
	return text
}

// counted writes a number of things.
func counted(n uint64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// summary is what --summary json prints.
type summary struct {
	Records     uint64       `json:"records"`    // that were read
	Done        uint64       `json:"done"`       // whose reply is written
	Failed      uint64       `json:"failed"`     // named on standard error
	TooLong     uint64       `json:"too_long"`   // of the failed: over --max-line, never submitted
	Unanswered  uint64       `json:"unanswered"` // of the failed: done for the pool, because the worker returned without an answer
	Unwritten   uint64       `json:"unwritten"`  // with a reply that the output didn't take
	NotRun      uint64       `json:"not_run"`    // because the run ended
	BytesIn     int64        `json:"bytes_in"`   // separators included
	BytesOut    int64        `json:"bytes_out"`
	Seconds     float64      `json:"seconds"`
	Interrupted bool         `json:"interrupted"`
	Status      int          `json:"status"`
	Error       string       `json:"error,omitempty"`
	Pool        *poolSummary `json:"pool,omitempty"`
}

// poolSummary is the pool's own account.
type poolSummary struct {
	Strategy    string `json:"strategy"`
	MinWorkers  uint32 `json:"min_workers"`
	MaxWorkers  uint32 `json:"max_workers"`
	Submitted   uint64 `json:"submitted"`
	Routed      uint64 `json:"routed"`
	Rejected    uint64 `json:"rejected"`
	Done        uint64 `json:"done"`
	Failed      uint64 `json:"failed"`
	Dropped     uint64 `json:"dropped"`
	Queued      uint64 `json:"queued"`  // left in the pool, because the run ended
	Running     uint64 `json:"running"` // in a worker's hand when the run ended
	Redelivered uint64 `json:"redelivered"`
	Retried     uint64 `json:"retried"`
	Restarted   uint64 `json:"restarted"`
	Exited      uint64 `json:"exited"`
}

func jsonSummary(r run.Report, status int) string {
	s := summary{
		Records: r.Read, Done: r.Done, Failed: r.Failed, TooLong: r.TooLong, Unanswered: r.Unanswered,
		Unwritten: r.Unwritten, NotRun: r.Left,
		BytesIn: r.BytesIn, BytesOut: r.BytesOut, Seconds: r.Elapsed.Seconds(), Interrupted: r.Interrupted, Status: status,
		Pool: summaryOf(r.Pool),
	}
	if r.Err != nil {
		s.Error = r.Err.Error()
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // numbers and strings can be encoded
	}
	return string(text)
}

func summaryOf(stats pool.PoolStats) *poolSummary {
	if stats.Pool == 0 {
		return nil
	}
	return &poolSummary{
		Strategy: stats.Strategy.String(), MinWorkers: stats.Min, MaxWorkers: stats.Max,
		Submitted: stats.Submitted, Routed: stats.Routed, Rejected: stats.Rejected,
		Done: stats.Done, Failed: stats.FailedTasks, Dropped: stats.Dropped, Queued: stats.Queued, Running: stats.Running,
		Redelivered: stats.Redelivered, Retried: stats.Retried, Restarted: stats.Restarted, Exited: stats.Exited,
	}
}

// complaint says what is wrong, one line for each thing.
func complaint(err error) []string {
	var guest *run.GuestError
	if !errors.As(err, &guest) {
		return []string{"pool: " + oneLine(err.Error())}
	}
	lines := make([]string, len(guest.Problems))
	for i, problem := range guest.Problems {
		lines[i] = "pool: " + run.ErrGuest.Error() + ": " + oneLine(problem)
	}
	return lines
}

// oneLine escapes what would end the line or steer the terminal.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

func unable(w io.Writer, err error) int {
	for _, line := range complaint(err) {
		fmt.Fprintln(w, line)
	}
	return StatusUnable
}
