// Package record cuts a stream into records: runs of bytes that each end with a separator, the last one perhaps without. A
// reader holds one record at a time, however long the stream is and however long a record without end.
package record
