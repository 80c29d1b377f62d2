/**
 * The vocabulary of the block layer: what is asked of a device, how it ended, and the limits both
 * sides keep. Everything else speaks in these words; they know nobody.
 */
@NullMarked
package dev.spindle.block;

import org.jspecify.annotations.NullMarked;
