package service

import "unsafe"

// MemberBytes is how large a member is.
const MemberBytes = unsafe.Sizeof(member{})

// CallBytes is how large a call is.
const CallBytes = unsafe.Sizeof(call{})

// Index finds members.
type Index struct{ index index }

// Put adds a member that is this worker.
func (x *Index) Put(id WorkerID) { x.index.put(&member{id: id}) }

// Remove takes it out.
func (x *Index) Remove(id WorkerID) { x.index.remove(id) }

// Get returns which worker the member is that is found under an id; 0 for none.
func (x *Index) Get(id WorkerID) WorkerID { return x.index.get(id).worker() }
