package dev.spindle.drive.optical.mmc;

import java.util.List;

/**
 * What a drive tells of itself, besides what the burner knows.
 *
 * @param product its model
 * @param serial of this drive
 * @param capacityBlocks of the disc, in blocks of 2048 bytes
 * @param packetBlocks the packet size the disc was formatted with
 * @param writeSpeeds all it writes at, as multiples of 1x
 * @param isWriteProtected takes no writes, whatever the disc
 */
public record MmcIdentity(
        String product,
        String serial,
        int capacityBlocks,
        int packetBlocks,
        List<Double> writeSpeeds,
        boolean isWriteProtected) {
    public MmcIdentity {
        writeSpeeds = List.copyOf(writeSpeeds);
        if (capacityBlocks < 1 || writeSpeeds.isEmpty()) {
            throw new IllegalArgumentException(
                    "burner: capacity="
                            + capacityBlocks
                            + " blocks, write speeds="
                            + writeSpeeds
                            + ": needs one of each at least");
        }
    }
}
