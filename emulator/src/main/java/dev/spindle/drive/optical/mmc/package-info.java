/**
 * The burner's own language: the packet commands of MMC-5 and SPC-3 as programs give them to a
 * drive, past the block layer. A command that moves blocks becomes a request like any other; the
 * rest is carried out by the drive when it begins it.
 *
 * <pre>
 *   CDB -> MmcDrive -> blocks to move   a pass-through READ, WRITE or FLUSH of the drive's queue
 *                   -> anything else    a pass-through COMMAND: checks by MmcCommand's row, then its answer
 * </pre>
 */
@NullMarked
package dev.spindle.drive.optical.mmc;

import org.jspecify.annotations.NullMarked;
