// Package rig is what the tests of this module stand on: a runtime with Workers, Pool and a consumer plugin whose real guests
// do, task by task, what a test says. It counts what the submits returned and what the guests finished by itself, and holds
// every pool's ledger against that.
package rig
