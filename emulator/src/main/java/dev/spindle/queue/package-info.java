/**
 * Who waits: the request queue in front of a drive, as the Linux block layer kept it, and the ring
 * and loop that feed it.
 */
@NullMarked
package dev.spindle.queue;

import org.jspecify.annotations.NullMarked;
