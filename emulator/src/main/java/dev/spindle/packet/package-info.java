/**
 * The packet writer: makes a disc that is written in packets a device of 2 KiB blocks. Stacked on
 * the drive's own request queue, as the Linux driver pktcdvd was.
 */
@NullMarked
package dev.spindle.packet;

import org.jspecify.annotations.NullMarked;
