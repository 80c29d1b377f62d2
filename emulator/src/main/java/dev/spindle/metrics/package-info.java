/** What can be counted: a fixed table of counters in a mapped file, and latency histograms. */
@NullMarked
package dev.spindle.metrics;

import org.jspecify.annotations.NullMarked;
