package dev.spindle.block;

/**
 * What a device asks of those who send it requests, in bytes: the kernel's queue limits.
 *
 * @param logicalBlockBytes offset and length of every request are multiples of it; a power of two,
 *     512 to 4096
 * @param physicalBlockBytes the least the medium writes without reading first; a power of two, at
 *     least the logical block
 * @param optimalIoBytes the size that suits the medium best (a packet on optical media); a multiple
 *     of the physical block
 * @param maxHwSectorsKb the most the drive's controller moves in one command, in KiB; bounds
 *     max_sectors_kb
 */
public record QueueLimits(
        int logicalBlockBytes, int physicalBlockBytes, int optimalIoBytes, int maxHwSectorsKb) {
    public QueueLimits {
        requirePowerOfTwo("logical block", logicalBlockBytes, 512, 4096);
        requirePowerOfTwo("physical block", physicalBlockBytes, logicalBlockBytes, 1 << 20);
        if (optimalIoBytes < physicalBlockBytes || optimalIoBytes % physicalBlockBytes != 0) {
            throw new IllegalArgumentException(
                    "optimal I/O size="
                            + optimalIoBytes
                            + " is no multiple of the physical block="
                            + physicalBlockBytes);
        }
        if (maxHwSectorsKb < 4) {
            throw new IllegalArgumentException(
                    "max_hw_sectors_kb=" + maxHwSectorsKb + " is less than a page of 4");
        }
    }

    private static void requirePowerOfTwo(String what, int bytes, int least, int most) {
        if (bytes < least || bytes > most || Integer.bitCount(bytes) != 1) {
            throw new IllegalArgumentException(
                    what + "=" + bytes + " is no power of two from " + least + " to " + most);
        }
    }
}
