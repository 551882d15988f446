package report

import (
	"fmt"
	"runtime"
	"time"
)

// Machine says where and when figures were measured.
type Machine struct {
	System     string    `json:"system"`
	Processor  string    `json:"processor"` // empty when it can't be told
	Processors int       `json:"processors"`
	Go         string    `json:"go"`
	Began      time.Time `json:"began"`
	Command    string    `json:"command"`
}

// Here is this machine, now.
func Here(command string) Machine {
	return Machine{
		System: runtime.GOOS + "/" + runtime.GOARCH, Processor: processor(), Processors: runtime.GOMAXPROCS(0),
		Go: runtime.Version(), Began: time.Now().UTC().Truncate(time.Second), Command: command,
	}
}

// String is one line of text.
func (m Machine) String() string {
	name := m.Processor
	if name == "" {
		name = "processors"
	}
	return fmt.Sprintf("%s, %d × %s, %s, %s", m.System, m.Processors, name, m.Go, m.Began.Format(time.DateOnly))
}
