package script

import "fmt"

// generator makes scripts out of bytes, each of which is a choice; what is beyond their end is the first choice.
type generator struct {
	choices []byte
	lines   []string
	pools   int // that were named
	tag     int
	calls   []string // that may wait
	holds   bool     // start sections and spawns may have to wait; then no command waits for them
	closes  bool     // something may be closed, once
}

func generate(choices []byte) []string {
	g := &generator{choices: choices}
	g.holds = g.below(3) == 2
	g.setup()
	g.create()
	for len(g.choices) > 0 && len(g.lines) < 60 {
		g.command()
	}
	return g.lines
}

func (g *generator) below(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	choice := int(g.choices[0]) % n
	g.choices = g.choices[1:]
	return choice
}

func (g *generator) of(words ...string) string { return words[g.below(len(words))] }

// with is a setting with one of its values, or, for an empty value, none.
func (g *generator) with(name string, values ...string) string {
	if value := g.of(values...); value != "" {
		return " " + name + "=" + value
	}
	return ""
}

func (g *generator) add(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

func (g *generator) setup() {
	extra := g.with("without", "", "", "all", "closing", "send-owned", "retire", "kill-within", "identity", "ceiling")
	g.closes = !patient.MatchString(extra)
	g.add("setup%s%s%s%s%s%s", g.with("workers", "", "", "5", "9"), g.with("pools", "", "", "2"), g.with("per-pool", "", "", "3"),
		g.with("total", "", "", "5"), g.with("runnable", "", "2"), extra)
	if !g.holds {
		g.add("owner other")
	}
}

func (g *generator) create() {
	g.pools++
	size := g.of(" min=2", " min=2", " min=1", " min=3", " min=1 max=4 target=1", " min=none max=3 target=1", " max=4 target=3")
	text := size +
		g.with("delay", "", "10ms") + g.with("strategy", "", "least_loaded", "random", "power_of_two", "consistent_hash", "broadcast") +
		g.with("overflow", "", "reject", "shed") + g.with("queue", "2", "", "1", "4") + g.with("payload", "", "8") +
		g.with("restart", "", "", "always", "never") + g.with("restarts", "", "", "1", "unlimited") +
		g.with("window", "", "", "1s", "lifetime") + g.with("retries", "", "1", "2") + g.with("timeout", "", "", "1s") +
		g.by("")
	g.add("create p%d%s", g.pools, text)
}

// by is who calls, seldom another than the first owner.
func (g *generator) by(more string) string {
	if g.holds {
		return g.with("by", "", "", more)
	}
	return g.with("by", "", "", "", "other", more)
}

func (g *generator) pool() string { return fmt.Sprintf("p%d", g.pools-min(g.below(3), g.pools-1)) }

func (g *generator) worker() string { return fmt.Sprint(1 + g.below(2+2*g.pools)) }

// tasks are one or more that are new.
func (g *generator) tasks() string {
	n := 1 + g.below(4)
	g.tag += n
	if n == 1 {
		return fmt.Sprint(g.tag)
	}
	return fmt.Sprintf("%d-%d", g.tag-n+1, g.tag)
}

func (g *generator) command() {
	switch g.below(8) {
	case 0, 1:
		g.submit()
	case 2, 3, 4:
		g.work()
	case 5:
		g.size()
	case 6:
		g.trouble()
	default:
		g.stage()
	}
}

func (g *generator) submit() {
	switch g.below(8) {
	case 0:
		g.add("submit %s %s%s", g.pool(), g.tasks(), g.with("key", "", "7"))
	case 1:
		g.add("submit-task %s %s%s%s", g.pool(), g.tasks(), g.with("key", "", "1"), g.with("bytes", "", "8", "9"))
	case 2:
		if g.holds {
			return
		}
		g.add("submit-from %s %s%s", g.pool(), g.tasks(), g.by(""))
	case 3:
		g.add("broadcast %s %s", g.pool(), g.tasks())
	case 4:
		g.add("send %s %s", g.worker(), g.tasks())
	case 5, 6:
		pool := g.pool()
		g.tag++
		g.calls = append(g.calls, fmt.Sprintf("call %d", g.tag))
		g.add("call %s %d%s%s", pool, g.tag, g.with("text", "", "t"), g.with("for", "", "10ms"))
	default:
		pool := g.pool()
		g.tag++
		g.calls = append(g.calls, fmt.Sprintf("submit-wait %d", g.tag))
		g.add("submit-wait %s %d%s", pool, g.tag, g.with("for", "", "10ms"))
	}
}

// work moves the workers.
func (g *generator) work() {
	switch g.below(12) {
	case 0, 1, 2, 3:
		g.add("take %s", g.worker())
	case 4:
		g.add("take %s %s %s", g.worker(), g.worker(), g.worker())
	case 5:
		g.add("complete %s%s%s", g.worker(), g.of("", " done"), g.with("then", "", "return"))
	case 6:
		g.add("fail %s", g.worker())
	case 7:
		g.add("%s %s", g.of("return", "trap", "abort"), g.worker())
	case 8:
		g.add("exit %s %s", g.worker(), g.of("0", "7"))
	case 9:
		g.add("%s %s", g.of("current", "take-raw"), g.worker())
	default:
		g.add("pass %s", g.of("1ms", "10ms", "1s", "3s", "6s", "61s"))
	}
}

// size does what belongs to owners, and ends pools.
func (g *generator) size() {
	by, limit := g.by("none"), g.with("for", "", "10ms", "2s")
	pool := g.pool()
	switch g.below(8) {
	case 0:
		g.add("reconcile %s%s", pool, by)
	case 1:
		g.add("scale %s %d%s", pool, g.below(6), by)
	case 2, 3:
		g.calls = append(g.calls, "supervise "+pool)
		g.add("supervise %s%s%s", pool, by, limit)
	case 4:
		g.add("rearm %s", pool)
	case 5:
		g.add("drain %s", pool)
	case 6:
		g.calls = append(g.calls, "drain-wait "+pool)
		g.add("drain-wait %s%s", pool, limit)
	default:
		g.add("destroy %s", pool)
	}
}

// trouble makes Workers fail, and workers slow to go.
func (g *generator) trouble() {
	switch g.below(8) {
	case 0, 1:
		g.add("refuse %s%s%s", g.of("spawn", "link", "send", "retire"), g.with("n", "", "2"), g.with("error", "", "full", "stopping", "gone"))
	case 2:
		g.add("start trap%s%s", g.with("after", "", "1"), g.with("n", "1", "3"))
	case 3:
		if g.holds {
			g.add("%s", g.of("start hold n=1", "spawned hold"))
		}
	case 4, 5:
		g.add("start go")
		g.add("spawned go")
	case 6:
		g.add("stubborn %s", g.worker())
	default:
		g.add("kill %s", g.worker())
	}
}

// stage changes what is around the pools.
func (g *generator) stage() {
	switch g.below(12) {
	case 0, 1, 2:
		g.create()
	case 3, 4:
		if len(g.calls) > 0 {
			g.add("cancel %s", g.calls[g.below(len(g.calls))])
		}
	case 5, 6:
		if !g.holds {
			g.add("leave %s", g.of("other", "other", "owner"))
		}
	case 7:
		if g.closes {
			g.closes = false
			g.add("%s", g.of("stop", "close", "close-owner", "close-owner other"))
		}
	default:
		g.add("stats %s", g.pool())
	}
}
