/**
 * What the programs of one {@code spindle run} have done: the file in which the shim counts it, and
 * what people are shown of it.
 */
@NullMarked
package dev.spindle.report;

import org.jspecify.annotations.NullMarked;
