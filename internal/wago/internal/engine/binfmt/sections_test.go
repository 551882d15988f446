package binfmt_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

func TestAModuleIsTheSumOfItsSections(t *testing.T) {
	for name, binary := range guests(t) {
		sections, err := binfmt.Sections(binary)
		require.NoError(t, err, name)
		require.NotEmpty(t, sections, name)
		whole := []byte(binfmt.Header)
		for _, s := range sections {
			whole = s.AppendTo(whole)
		}
		require.Equal(t, binary, whole, name)
	}
}

func TestSectionsThatAreCutAreMalformed(t *testing.T) {
	_, err := binfmt.Sections([]byte(binfmt.Header + "\x01\x05\x00"))
	require.ErrorIs(t, err, binfmt.ErrMalformed)
	_, err = binfmt.Sections([]byte(binfmt.Header[:5]))
	require.ErrorIs(t, err, binfmt.ErrMalformed)
	sections, err := binfmt.Sections([]byte(binfmt.Header))
	require.NoError(t, err)
	require.Empty(t, sections)
}

func TestExtendAddsItemsAtTheEnd(t *testing.T) {
	many := slices.Repeat([]byte{0x7f, 0, 0x41, 0, 0x0b}, 127)
	s := binfmt.RawSection{ID: binfmt.SectionGlobal, Body: append([]byte{127}, many...)}
	kept := slices.Clone(s.Body)
	extended, err := s.Extend(1, []byte("item"))
	require.NoError(t, err)
	require.Equal(t, binfmt.SectionGlobal, int(extended.ID))
	require.Equal(t, slices.Concat([]byte{0x80, 1}, many, []byte("item")), extended.Body, "its count needs a byte more")
	require.Equal(t, kept, s.Body)

	_, err = binfmt.RawSection{ID: binfmt.SectionGlobal}.Extend(1, nil)
	require.ErrorIs(t, err, binfmt.ErrMalformed)
}
