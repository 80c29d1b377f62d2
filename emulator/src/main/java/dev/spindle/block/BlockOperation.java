package dev.spindle.block;

/** What can be asked of a block device. */
public enum BlockOperation {
    READ(false),
    WRITE(true),
    /** Everything whose completion was reported is to be on stable storage. */
    FLUSH(true),
    /** The contents are no longer needed and read as zeroes or as before; NBD and ATA say TRIM. */
    DISCARD(true),
    /** As a write of zeroes, with no data carried. */
    WRITE_ZEROES(true),
    /**
     * A command in the drive's own language that moves no blocks; only from those who know what the
     * drive is.
     */
    COMMAND(false);

    private final boolean isWrite;

    BlockOperation(boolean isWrite) {
        this.isWrite = isWrite;
    }

    /** True for all that draws on the write side of the request pool. */
    public boolean isWrite() {
        return isWrite;
    }

    /** True where the operation is cut by max_sectors_kb: it moves data over the drive's bus. */
    public boolean isTransfer() {
        return this == READ || this == WRITE || this == WRITE_ZEROES;
    }
}
