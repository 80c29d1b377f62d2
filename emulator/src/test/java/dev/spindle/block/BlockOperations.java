package dev.spindle.block;

import java.util.List;

/** What can be asked of any block device, for tests that draw from it. */
public final class BlockOperations {
    public static final List<BlockOperation> OF_ANY_DEVICE =
            List.of(
                    BlockOperation.READ,
                    BlockOperation.WRITE,
                    BlockOperation.FLUSH,
                    BlockOperation.DISCARD,
                    BlockOperation.WRITE_ZEROES);

    private BlockOperations() {}
}
