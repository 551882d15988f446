package manifest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/wago-org/wago/internal/semrange"
)

func checkCompatibility(d *PluginDefinition) error {
	if err := checkEngines(d.Compatibility.Engines); err != nil {
		return err
	}
	platforms := d.Compatibility.Platforms
	if err := at("compatibility.platforms", checkCount(len(platforms), maxPlatforms)); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, platform := range platforms {
		path := fmt.Sprintf("compatibility.platforms[%d]", i)
		if !platformPattern.MatchString(platform) {
			return broken(path, "%s is not of the form os/arch", shown(platform))
		}
		if seen[platform] {
			return broken(path, "%s occurs twice", shown(platform))
		}
		seen[platform] = true
	}
	return nil
}

func checkEngines(engines map[string]string) error {
	const path = "compatibility.engines"
	if err := at(path, checkCount(len(engines), maxEngines)); err != nil {
		return err
	}
	for _, engine := range slices.Sorted(maps.Keys(engines)) {
		if len(engine) > maxEngineLength {
			return at(path, tooLong(engine, maxEngineLength))
		}
		if !slugPattern.MatchString(engine) {
			return broken(path, "engine %s is not a lower-case slug", shown(engine))
		}
		if _, err := semrange.Parse(engines[engine]); err != nil {
			return broken(path+"."+engine, "%w", err)
		}
	}
	return nil
}

func checkProvenance(d *PluginDefinition) error {
	p := d.Provenance
	if p.Homepage != "" {
		if err := at("provenance.homepage", checkURL(p.Homepage, true)); err != nil {
			return err
		}
	}
	if err := at("provenance.repository", checkURL(p.Repository, false)); err != nil {
		return err
	}
	if blank(p.License) {
		return broken("provenance.license", "blank")
	}
	if err := at("provenance.license", checkUTF8(p.License)); err != nil {
		return err
	}
	if err := at("provenance.authors", checkCount(len(p.Authors), maxAuthors)); err != nil {
		return err
	}
	for i, author := range p.Authors {
		if err := at(fmt.Sprintf("provenance.authors[%d]", i), checkText(author, maxAuthorLength)); err != nil {
			return err
		}
	}
	return nil
}
