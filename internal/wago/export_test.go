package wago

import "unsafe"

// InstanceBytes is how large an instance is.
const InstanceBytes = unsafe.Sizeof(Instance{})
