// Package host is one side of the benchmarks: a Wago runtime with the plugins a row needs and a consumer plugin that answers
// the guests' imports. What a guest's next means depends on the host: a pool's worker asks Pool ([Pool]), a worker without a
// pool asks Workers ([Raw]), and an instance without either takes from a Go channel ([Loop]), which is the hand-written
// alternative with the same engine, the same host calls and the same interruption.
package host
