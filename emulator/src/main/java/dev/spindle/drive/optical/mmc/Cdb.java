package dev.spindle.drive.optical.mmc;

import java.util.Arrays;

/** A command descriptor block: the bytes of a command, big-endian, with zeroes behind them. */
public final class Cdb {
    /** No more bytes of a CDB are looked at; ATAPI sends twelve. */
    public static final int MAX_BYTES = 16;

    private final byte[] bytes;

    private Cdb(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Of those bytes, padded with zeroes. */
    public static Cdb of(byte[] given) {
        return new Cdb(Arrays.copyOf(given, MAX_BYTES));
    }

    int opcode() {
        return u8(0);
    }

    int u8(int at) {
        return bytes[at] & 0xff;
    }

    boolean has(int at, int mask) {
        return (u8(at) & mask) != 0;
    }

    int u16(int at) {
        return u8(at) << 8 | u8(at + 1);
    }

    int u24(int at) {
        return u16(at) << 8 | u8(at + 2);
    }

    long u32(int at) {
        return (long) u16(at) << 16 | u16(at + 2);
    }
}
