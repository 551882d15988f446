// Package workerstest is the conformance suite of the Workers service: what every implementation of workers.Service has to
// do, with no engine in sight. [Exercise] runs it on a [Harness]; the tests of this package run it on the real service with
// real guests, and on broken ones, which it has to notice.
//
// A check runs on a harness of its own. Most run in a testing/synctest bubble, so that "it waits" and "nothing more happens"
// are facts and not guesses; the checks in which a guest spins need real time and a short grace.
//
// What the contract leaves to extras (see [Owned], [Retirer], [Terminator], [Closer], [Identifier]) is checked when the
// service has them.
package workerstest
