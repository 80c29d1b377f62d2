/**
 * What the shim shares with the daemon in memory: for each device a small file with the limits of
 * its queue, which both map, and the map that tells the shim which devices there are.
 */
@NullMarked
package dev.spindle.shm;

import org.jspecify.annotations.NullMarked;
