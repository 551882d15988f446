package service

import "sync"

// index finds the member that is a given worker.
//
// Safe for concurrent use.
type index struct{ members sync.Map } // WorkerID to *member

func (x *index) get(id WorkerID) *member {
	m, _ := x.members.Load(id)
	member, _ := m.(*member)
	return member
}

func (x *index) put(m *member) { x.members.Store(m.id, m) }

func (x *index) remove(id WorkerID) { x.members.Delete(id) }
