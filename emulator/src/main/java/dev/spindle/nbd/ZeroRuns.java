package dev.spindle.nbd;

import java.nio.ByteBuffer;

/**
 * Finds what reads as zeroes in the data of a READ, in grains of 4 KiB of the device, so that it
 * need not be sent. In other data the first eight bytes of a grain mostly tell.
 */
final class ZeroRuns {
    private static final int GRAIN_BYTES = 4096;

    private ZeroRuns() {}

    /** How many bytes from {@code index} on are zero in whole grains. */
    static int zeroBytes(ByteBuffer data, int index, long offsetBytes, int lengthBytes) {
        return run(data, index, offsetBytes, lengthBytes, true);
    }

    /** How many bytes from {@code index} on come before a grain of zeroes. */
    static int dataBytes(ByteBuffer data, int index, long offsetBytes, int lengthBytes) {
        return run(data, index, offsetBytes, lengthBytes, false);
    }

    private static int run(
            ByteBuffer data, int index, long offsetBytes, int lengthBytes, boolean ofZeroes) {
        int at = 0;
        while (at < lengthBytes) {
            int grain = GRAIN_BYTES - (int) ((offsetBytes + at) & (GRAIN_BYTES - 1));
            int bytes = Math.min(grain, lengthBytes - at);
            if (isZero(data, index + at, bytes) != ofZeroes) {
                return at;
            }
            at += bytes;
        }
        return at;
    }

    /** Lengths are multiples of 512. */
    private static boolean isZero(ByteBuffer data, int index, int bytes) {
        for (int at = 0; at < bytes; at += Long.BYTES) {
            if (data.getLong(index + at) != 0) {
                return false;
            }
        }
        return true;
    }
}
