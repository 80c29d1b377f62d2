/**
 * In which order waiting commands go to the drive: the four I/O schedulers of Linux 2.6, and what
 * they have in common. Pure machines, owned by the loop that owns the device.
 */
@NullMarked
package dev.spindle.queue.elevator;

import org.jspecify.annotations.NullMarked;
