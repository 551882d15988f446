// Package puppet has a test move Pool's workers by hand, one host call at a time. A [Stage] is Pool's service over the
// Workers of any [workerstest.Harness], fake or real; its guests do nothing but wait for orders.
//
// It is for testing/synctest bubbles: an order, or a call of the service, is begun, and [Stage.Settle] returns when nothing
// moves any more. Of several workers that are told to stop, Settle lets one go at a time, lowest id first, so that what
// happens next is the same in every run.
package puppet
