package service

// Reason says why an event happened. Its text is snake_case; the list may grow.
//
// Safe for concurrent use.
type Reason uint8

// The reasons.
const (
	ReasonNone           Reason = 0  // the kind says it all
	ReasonEmpty          Reason = 1  // no live worker
	ReasonFull           Reason = 2  // every candidate was full
	ReasonTooLarge       Reason = 3  // the payload is over Worker.MaxPayloadBytes
	ReasonWaitEnded      Reason = 4  // a SubmitWait or Call ended before acceptance
	ReasonGuestFailed    Reason = 5  // the guest called Fail
	ReasonWorkerExited   Reason = 6  // the worker ended with the task in hand, or with a broadcast's leg in its mailbox
	ReasonTimeout        Reason = 7  // the task ran too long
	ReasonDestroyed      Reason = 8  // Destroy
	ReasonCreatorClosed  Reason = 9  // the instance that created the pool, or its runtime, closed
	ReasonServiceStopped Reason = 10 // the plugin was stopped
	ReasonDrained        Reason = 11 // the last worker of a draining pool ended with tasks parked
	ReasonCreateFailed   Reason = 12 // Create could not start every worker
	ReasonScale          Reason = 13 // Scale was called
	ReasonLoad           Reason = 14 // load asks for another size
	ReasonShare          Reason = 15 // the shared budget of runnable workers was divided anew
	ReasonGaveUp         Reason = 16 // supervision gave a place up
	ReasonHalt           Reason = 17 // supervision halted the pool
	ReasonRearm          Reason = 18 // Rearm was called
	ReasonCeiling        Reason = 19 // a ceiling stands in the way
	ReasonSpawnFailed    Reason = 20 // a worker could not be started
)

var reasonNames = names[Reason]{
	what: "reason",
	text: []string{
		"none", "empty", "full", "too_large", "wait_ended", "guest_failed", "worker_exited", "timeout", "destroyed",
		"creator_closed", "service_stopped", "drained", "create_failed", "scale", "load", "share", "gave_up", "halt", "rearm",
		"ceiling", "spawn_failed",
	},
}

// String returns the reason's snake_case name, or "reason N" for an unknown one.
func (r Reason) String() string { return reasonNames.string(r) }

// MarshalText returns the reason's snake_case name; unknown reasons are an error.
func (r Reason) MarshalText() ([]byte, error) { return reasonNames.marshal(r) }

// UnmarshalText accepts exactly what MarshalText returns.
func (r *Reason) UnmarshalText(text []byte) error { return reasonNames.unmarshal(r, text) }
