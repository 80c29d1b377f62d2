/** Faults planted in the sources, each of which some test has to notice. */
@NullMarked
package dev.spindle.fault;

import org.jspecify.annotations.NullMarked;
