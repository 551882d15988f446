package manifest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

func TestIDs(t *testing.T) {
	for _, id := range []string{
		"example.com/a", "a.b/c", "github.com/JairusSW/pool", "github.com/wago-org/workers/service", "EXAMPLE.Com/A",
		"a-b.c-d/e", "1.2/3", "example.com/a.b_c~d-e", "a--b.com/x", "example.com/a..b",
	} {
		_, err := manifest.DefinitionDigest(minimal(id))
		require.NoError(t, err, id)
	}
	for _, id := range []string{
		"", "a", "example.com", "example.com/", "example/a", "https://example.com/a", "example.com/a/", "/example.com/a",
		"example.com//a", "example.com/a@1", "-a.com/x", "a-.com/x", "a.-b/x", ".com/x", "a./x", "a_b.com/x", "example.com/-a",
		"example.com/a.", "example.com/.a", "example.com/_", "example.com/a b", " example.com/a", "example.com/a\n",
		"example.com/é", "example.com:80/a", "example.com/a?b", "example.com/a#b", "example.com/a\x00", `example.com\a`,
	} {
		_, err := manifest.DefinitionDigest(minimal(id))
		requirePluginError(t, err, manifest.ErrInvalidDefinition, id, manifest.PluginPhaseValidate, "id")
	}
}

func TestURLs(t *testing.T) {
	for _, url := range []string{"https://example.com", "https://example.com/a/b?c=d", "https://example.com:8443/a", "https://[::1]/a"} {
		d := minimal(plugin)
		d.Provenance.Repository, d.Provenance.Homepage = url, url
		_, err := manifest.DefinitionDigest(d)
		require.NoError(t, err, url)
	}
	for _, url := range []string{
		"", "example.com", "http://example.com", "HTTPS://example.com", "https://", "https:///a", "https:example.com",
		"https://user@example.com", "https://user:pw@example.com", "https://@example.com", "https://example.com/ a",
		"https://example.com/\t", "https://example.com/\u00a0", `https://example.com\a`, "https://example.com/\x00",
		"https://example.com/%zz", "https://example.com:port/", "https://example.com/\xff", "https://:80/",
	} {
		d := minimal(plugin)
		d.Provenance.Repository = url
		_, err := manifest.DefinitionDigest(d)
		requirePluginError(t, err, manifest.ErrInvalidDefinition, plugin, manifest.PluginPhaseValidate, "provenance.repository")
		if url == "" {
			continue
		}
		d = minimal(plugin)
		d.Provenance.Homepage = url
		_, err = manifest.DefinitionDigest(d)
		requirePluginError(t, err, manifest.ErrInvalidDefinition, plugin, manifest.PluginPhaseValidate, "provenance.homepage")
	}
	for _, url := range []string{"https://example.com/#", "https://example.com/a#b"} {
		d := minimal(plugin)
		d.Provenance.Homepage = url
		_, err := manifest.DefinitionDigest(d)
		require.NoError(t, err, "a home page may have a fragment")

		d.Provenance.Repository = url
		_, err = manifest.DefinitionDigest(d)
		requirePluginError(t, err, manifest.ErrInvalidDefinition, plugin, manifest.PluginPhaseValidate, "provenance.repository")
	}
}
