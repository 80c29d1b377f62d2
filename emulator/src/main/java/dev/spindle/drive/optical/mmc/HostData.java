package dev.spindle.drive.optical.mmc;

import dev.spindle.block.BlockOperation;

/**
 * The host's side of a command.
 *
 * @param out what it sends
 * @param inBytes the most it takes
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record HostData(byte[] out, int inBytes) {
    /** For a command that moves blocks, how many bytes the host gives or takes. */
    int bytesFor(BlockOperation operation) {
        return operation == BlockOperation.WRITE ? out.length : inBytes;
    }
}
