package wago_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

func TestCallChecksTypesAndReturnsValues(t *testing.T) {
	in := instantiate(t, newRuntime(t, nil), guestWasm, runNothing)
	args := []wago.Value{wago.ValueI64(-5), wago.ValueF32(1.5), wago.ValueF64(-2.25)}
	res, err := in.Call(t.Context(), "mix", args...)
	require.NoError(t, err)
	assert.Equal(t, []wago.Value{args[2], args[0], args[1]}, res)
	assert.Equal(t, []string{"f64(-2.25)", "i64(-5)", "f32(1.5)"}, []string{res[0].String(), res[1].String(), res[2].String()})
	_, err = in.Call(t.Context(), "mix", args[1], args[0], args[2])
	assert.ErrorIs(t, err, wago.ErrInvalidArgument)
	_, err = in.Call(t.Context(), "mix", args[0])
	assert.ErrorIs(t, err, wago.ErrArity)
	_, err = in.Call(t.Context(), "nobody")
	assert.ErrorIs(t, err, wago.ErrNoExport)
	_, err = in.Call(t.Context(), "memory")
	assert.ErrorIs(t, err, wago.ErrNoExport)
}

func TestSlotsKeepTheirValues(t *testing.T) {
	assert.Equal(t, uint64(0xffffffff), wago.I32(-1), "the high half is zero")
	assert.Equal(t, int32(-1), wago.AsI32(wago.I32(-1)))
	assert.Equal(t, int64(math.MinInt64), wago.AsI64(wago.I64(math.MinInt64)))
	assert.Equal(t, float32(math.Pi), wago.AsF32(wago.F32(math.Pi)))
	assert.Equal(t, math.Pi, wago.AsF64(wago.F64(math.Pi)))
	assert.Equal(t, wago.ValI64, wago.ValueOf(wago.ValI64, 3).Type())
	assert.Equal(t, int32(-1), wago.ValueI32(-1).I32())
	assert.Equal(t, int64(-1), wago.ValueI64(-1).I64())
	assert.Equal(t, float32(2), wago.ValueF32(2).F32())
	assert.Equal(t, 2.0, wago.ValueF64(2).F64())
	assert.Equal(t, wago.Value{}, wago.ValueI32(0))
}

func TestMemoryIsReadAndWrittenInPlace(t *testing.T) {
	in := instantiate(t, newRuntime(t, nil), guestWasm, runNothing)
	const end = 65536
	require.True(t, in.WriteUint64Le(100, 0x1122334455667788))
	v64, ok := in.ReadUint64Le(100)
	assert.True(t, ok)
	assert.Equal(t, uint64(0x1122334455667788), v64)
	v32, _ := in.ReadUint32Le(100)
	assert.Equal(t, uint32(0x55667788), v32)
	v16, _ := in.ReadUint16Le(100)
	assert.Equal(t, uint16(0x7788), v16)
	v8, _ := in.ReadUint8(100)
	assert.Equal(t, uint8(0x88), v8)
	require.True(t, in.WriteFloat64Le(8, 1.5) && in.WriteFloat32Le(0, 2.5) && in.WriteUint32Le(4, 7) &&
		in.WriteUint16Le(200, 8) && in.WriteUint8(201, 9))
	f64, _ := in.ReadFloat64Le(8)
	assert.Equal(t, 1.5, f64)
	f32, _ := in.ReadFloat32Le(0)
	assert.Equal(t, float32(2.5), f32)
	for name, ok := range map[string]bool{"read": second(in.Read(end-1, 2)), "write": in.Write(end-1, []byte{1, 2}),
		"far": second(in.ReadUint64Le(math.MaxUint32)), "far write": in.WriteUint8(end, 1)} {
		assert.False(t, ok, name)
	}
	assert.True(t, second(in.Read(end, 0)), "nothing, at the end")
	copied, _ := in.Read(100, 1)
	copied[0] = 0
	again, _ := in.ReadUint8(100)
	assert.Equal(t, uint8(0x88), again, "Read copies")
	assert.Equal(t, uint32(1), in.Memory().Pages())
	assert.Len(t, in.Memory().Bytes(), end)
	assert.Nil(t, instantiate(t, newRuntime(t, nil), importsWasm, wago.WithImports(wago.Imports{
		"env.run": wago.HostFunc(nop), "other.help": wago.HostFunc(nop), "env.constant": wago.GlobalImport{}})).Memory())
}

func nop(wago.HostModule, []uint64, []uint64) {}

func second[T any](_ T, ok bool) bool { return ok }

func TestGlobals(t *testing.T) {
	in := instantiate(t, newRuntime(t, nil), guestWasm, runNothing)
	require.NoError(t, in.SetGlobalValue("counter", wago.ValueI32(41)))
	_, err := in.Invoke("bump")
	require.NoError(t, err)
	v, err := in.GlobalValue("counter")
	require.NoError(t, err)
	assert.Equal(t, wago.ValueI32(42), v)
	require.NoError(t, in.SetGlobal("counter", wago.I32(-1)))
	bits, err := in.Global("counter")
	require.NoError(t, err)
	assert.Equal(t, wago.I32(-1), bits)
	assert.ErrorIs(t, in.SetGlobalValue("counter", wago.ValueI64(1)), wago.ErrInvalidArgument)
	assert.ErrorIs(t, in.SetGlobalValue("constant", wago.ValueI64(1)), wago.ErrInvalidArgument)
	assert.ErrorIs(t, in.SetGlobalValue("nobody", wago.ValueI64(1)), wago.ErrNoExport)
	_, err = in.GlobalValue("nobody")
	assert.ErrorIs(t, err, wago.ErrNoExport)
}

func TestAnExportedFunctionCanBeKept(t *testing.T) {
	in := instantiate(t, newRuntime(t, nil), guestWasm, runNothing)
	add, err := in.ExportedFunc("add")
	require.NoError(t, err)
	assert.Equal(t, "add", add.Name())
	assert.Equal(t, wago.FuncSig{Params: []wago.ValType{wago.ValI32, wago.ValI32}, Results: []wago.ValType{wago.ValI32}}, add.Signature())
	res, err := add.Invoke(2, 3)
	require.NoError(t, err)
	assert.Equal(t, []uint64{5}, res)
	_, err = in.ExportedFunc("nobody")
	assert.ErrorIs(t, err, wago.ErrNoExport)
}

func TestOneGuestRunsOneCallAtATime(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	child := forkOf(t, h, in)
	go func() { _, _ = in.Invoke("spin") }()
	go func() { _ = child.InvokeVoidTable(t.Context(), 1) }()
	guest := child.Instance()
	eventually(t, func() bool { return running(in) != nil && running(guest) != nil })
	_, err := in.Invoke("add", 1, 2)
	assert.ErrorIs(t, err, wago.ErrInstanceBusy)
	assert.ErrorIs(t, child.InvokeVoidTable(t.Context(), 0), wago.ErrInstanceBusy)
	assert.ErrorIs(t, child.ValidateVoidTableEntry(0), wago.ErrInstanceBusy)
	assert.False(t, second(in.Read(0, 1)))
	assert.NoError(t, rt.Close())
}

func TestMemoryIsReadableFromInsideAHostCallAndAfterATrap(t *testing.T) {
	h := &host{}
	in := instantiate(t, newRuntime(t, nil, h.plug()), guestWasm)
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		text, ok := in.Read(16, 7)
		assert.True(t, ok)
		assert.Equal(t, "initial", string(text))
		m.Memory()[16] = 'I'
		return 0
	}
	_, err := in.Invoke("call", 0, 0, 0)
	require.NoError(t, err)
	_, err = in.Invoke("trap")
	require.Error(t, err)
	text, ok := in.Read(16, 7)
	assert.True(t, ok)
	assert.Equal(t, "Initial", string(text))
}

func TestAStartSectionCantBeCalledInto(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	h.run = func(m wago.HostModule, _, _, _ int32) int32 { return 0 }
	in := instantiate(t, rt, startWasm)
	var nested error
	h.run = func(m wago.HostModule, op, _, _ int32) int32 {
		if op != 9 {
			_, err := h.manager.Fork(t.Context(), m)
			require.NoError(t, err)
			return 0
		}
		managed, err := h.manager.ManagedCaller(m)
		require.NoError(t, err)
		nested = managed.InvokeVoidTable(t.Context(), 0)
		return 0
	}
	_, err := in.Invoke("call", 0)
	require.NoError(t, err)
	assert.ErrorIs(t, nested, wago.ErrInstanceBusy)
}
