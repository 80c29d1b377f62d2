/**
 * Traces in the format of Linux's blktrace, out and in, and fio's logs of I/O, in.
 *
 * <pre>
 *   RequestQueue --steps--> BlkTraceEncoder --records--> TraceFile     virtual time: written at once
 *                                                        TraceBuffer   live: a bounded ring, written by a thread
 *   NAME.blktrace.0, .1 ... --> BlkTraceReader --events in order of time--> TraceLoader --> RecordedTrace
 *   fio's iolog, version 2 or 3 ----------------------------------------> IoLogReader --> RecordedTrace
 * </pre>
 */
@NullMarked
package dev.spindle.trace;

import org.jspecify.annotations.NullMarked;
