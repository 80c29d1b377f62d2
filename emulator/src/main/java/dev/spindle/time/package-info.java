/**
 * The only reader of clocks: everyone else is handed a {@link dev.spindle.time.DeviceClock} or the
 * current time.
 */
@NullMarked
package dev.spindle.time;

import org.jspecify.annotations.NullMarked;
