// Package linear gives guests their memories: mapped from the system, or from the Go heap.
//
// A mapped [Memory] reserves addresses for all that the guest may ever have, and makes accessible what it has grown to. So it
// never moves, growing copies nothing, and making one takes as long for 4 GiB as for one page. Nothing is resident but the
// pages that something was written to: those of the module's data segments at first, then those that the guest uses.
//
// # What the system counts
//
// The reservation is private, anonymous and not accessible (PROT_NONE), so that it costs addresses and nothing else: neither
// the limit of data (RLIMIT_DATA) nor the kernel's overcommit counts what can't be written to. What is accessible counts as
// data. Overcommit counts it only where it is strict (vm.overcommit_memory=2): elsewhere MAP_NORESERVE says that most of it
// won't be used. Making all of it accessible at once would save a system call, and charge each guest its limit there. Huge
// pages are declined: with them, one byte that a guest writes could make 2 MiB resident. A mapping takes two of the areas that
// vm.max_map_count limits, or one once it has grown to its limit.
//
// What the system refuses is an error of [Allocator.New], or a refused growth: memory.grow's -1. It is not asked of the Go
// heap instead, which would end the process where the system has nothing left.
//
// # Who unmaps
//
// The engine calls Free when it closes a module, which may be in the middle of a guest's call, while a host function below it
// still looks at the memory. When a start section traps, it calls nothing. So [Memory.Free] does no more than refuse growth,
// and the addresses stay good until [Memory.Close]. That is for the owner of the instance to call: after the last call of the
// guest has left, and with it every host function that it called, and when an instantiation has failed. A view that somebody
// has kept until after that points nowhere; touching it is a fault that ends the process. With the Go heap it would be garbage.
package linear
