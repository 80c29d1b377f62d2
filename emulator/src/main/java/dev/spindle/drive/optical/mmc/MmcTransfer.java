package dev.spindle.drive.optical.mmc;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.optical.MediumKind;
import java.util.Optional;

/**
 * What a command moves between host and disc.
 *
 * @param operation READ, WRITE or FLUSH
 * @param block the first, of 2048 bytes
 * @param isFua to be on the disc before it ends
 */
public record MmcTransfer(BlockOperation operation, long block, long blocks, boolean isFua) {
    private static final int FUA = 0x08;
    private static final int IMMEDIATE = 0x02;

    static Optional<MmcTransfer> of(Cdb cdb, MmcCommand command) {
        return switch (command) {
            case READ_10 -> Optional.of(blocks(BlockOperation.READ, cdb, cdb.u16(7)));
            case READ_12 -> Optional.of(blocks(BlockOperation.READ, cdb, cdb.u32(6)));
            case READ_CD ->
                    Optional.of(
                            new MmcTransfer(BlockOperation.READ, cdb.u32(2), cdb.u24(6), false));
            case WRITE_10 -> Optional.of(blocks(BlockOperation.WRITE, cdb, cdb.u16(7)));
            case WRITE_12 -> Optional.of(blocks(BlockOperation.WRITE, cdb, cdb.u32(6)));
            case WRITE_AND_VERIFY_10 ->
                    Optional.of(
                            new MmcTransfer(BlockOperation.WRITE, cdb.u32(2), cdb.u16(7), true));
            case SYNCHRONIZE_CACHE ->
                    cdb.has(1, IMMEDIATE)
                            ? Optional.empty()
                            : Optional.of(new MmcTransfer(BlockOperation.FLUSH, 0, 0, false));
            default -> Optional.empty();
        };
    }

    private static MmcTransfer blocks(BlockOperation operation, Cdb cdb, long blocks) {
        return new MmcTransfer(operation, cdb.u32(2), blocks, cdb.has(1, FUA));
    }

    public long offsetBytes() {
        return block * MediumKind.BLOCK_BYTES;
    }

    public long lengthBytes() {
        return blocks * MediumKind.BLOCK_BYTES;
    }

    long endBlock() {
        return block + blocks;
    }

    /** True where anything is to be done on the disc. */
    boolean moves(HostData host) {
        return operation == BlockOperation.FLUSH || (blocks > 0 && host.bytesFor(operation) > 0);
    }

    /** As much of it as a buffer of the host's holds. */
    MmcTransfer within(HostData host) {
        long most = Math.ceilDiv(host.inBytes(), MediumKind.BLOCK_BYTES);
        return operation != BlockOperation.READ || blocks <= most
                ? this
                : new MmcTransfer(operation, block, most, isFua);
    }
}
