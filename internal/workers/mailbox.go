package workers

// message is one entry of a mailbox.
type message struct {
	tag     uint64
	payload []byte
}

const (
	mailboxFirst = 8   // slots of the first ring
	mailboxKeep  = 256 // slots that are always kept
)

// mailbox is a queue of messages: a ring that grows when needed, so that an idle worker costs nothing for its capacity, and
// that is let go when it is empty and was mostly unused since it was empty before. The worker checks the bounds. Not safe for concurrent use; its owner guards it.
type mailbox struct {
	ring  []message // length zero or a power of two
	head  uint32    // position of the oldest, taken modulo the ring's length
	count uint32
	peak  uint32 // the highest count since the ring was empty
	bytes uint32 // payload bytes of all entries: at most MaxWorkerQueueBytes
}

func (m *mailbox) push(msg message) {
	if int(m.count) == len(m.ring) {
		m.grow()
	}
	m.ring[(m.head+m.count)&uint32(len(m.ring)-1)] = msg
	m.count++
	m.peak = max(m.peak, m.count)
	m.bytes += uint32(len(msg.payload))
}

// pop takes the oldest message out; there must be one.
func (m *mailbox) pop() message {
	slot := &m.ring[m.head&uint32(len(m.ring)-1)]
	msg := *slot
	*slot = message{}
	m.head++
	m.count--
	m.bytes -= uint32(len(msg.payload))
	if m.count == 0 {
		if len(m.ring) > mailboxKeep && int(m.peak) < len(m.ring)/4 {
			m.ring = nil
		}
		m.peak, m.head = 0, 0 // a short queue stays where the cache has it
	}
	return msg
}

func (m *mailbox) grow() {
	bigger := make([]message, max(mailboxFirst, 2*len(m.ring)))
	for i := range m.count {
		bigger[i] = m.ring[(m.head+i)&uint32(len(m.ring)-1)]
	}
	m.ring, m.head = bigger, 0
}

// clear drops every message and the ring.
func (m *mailbox) clear() { *m = mailbox{} }
