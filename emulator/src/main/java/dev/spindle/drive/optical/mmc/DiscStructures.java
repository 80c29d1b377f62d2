package dev.spindle.drive.optical.mmc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/**
 * READ DISC STRUCTURE of a DVD (READ DVD STRUCTURE before MMC-5): physical format, copyright, the
 * ADIP of a DVD+RW, write protection, and the list of these. The layer descriptor is that of
 * ECMA-337, 338 and 330. The manufacturer's name is ours: there is no disc that somebody made.
 */
final class DiscStructures {
    private static final int PHYSICAL = 0x00;
    private static final int COPYRIGHT = 0x01;
    private static final int ADIP = 0x11;
    private static final int WRITE_PROTECTION = 0xc0;
    private static final int LIST = 0xff;
    private static final int LAYER_BYTES = 2048;
    private static final int ADIP_BYTES = 256;
    private static final int READABLE = 0x40;

    private final DiscView disc;

    DiscStructures(DiscView disc) {
        this.disc = disc;
    }

    byte[] answer(Cdb cdb) throws CheckCondition {
        int format = cdb.u8(7);
        if (format == LIST) {
            return list();
        }
        CheckCondition.require(!disc.isCd(), Sense.CANNOT_READ_FORMAT);
        CheckCondition.requireField((cdb.u8(1) & 0x0f) == 0 && cdb.u8(6) == 0);
        return switch (format) {
            case PHYSICAL -> structure(layer(LAYER_BYTES));
            case COPYRIGHT -> structure(ByteBuffer.allocate(4));
            case ADIP -> structure(adip());
            case WRITE_PROTECTION -> structure(protection());
            default -> throw new CheckCondition(Sense.INVALID_FIELD);
        };
    }

    private static byte[] structure(ByteBuffer content) {
        ByteBuffer data = ByteBuffer.allocate(4 + content.capacity());
        data.putShort(0, (short) (content.capacity() + 2));
        data.put(4, content, 0, content.capacity());
        return data.array();
    }

    /** Which there are, each with the bytes it takes. */
    private byte[] list() {
        if (disc.isCd()) {
            return structure(entries(new int[][] {{WRITE_PROTECTION, 8}, {LIST, 12}}));
        }
        return structure(
                entries(
                        hasAdip()
                                ? new int[][] {
                                    {PHYSICAL, LAYER_BYTES + 4},
                                    {COPYRIGHT, 8},
                                    {ADIP, ADIP_BYTES + 4},
                                    {WRITE_PROTECTION, 8},
                                    {LIST, 24}
                                }
                                : new int[][] {
                                    {PHYSICAL, LAYER_BYTES + 4},
                                    {COPYRIGHT, 8},
                                    {WRITE_PROTECTION, 8},
                                    {LIST, 20}
                                }));
    }

    private static ByteBuffer entries(int[][] formats) {
        ByteBuffer entries = ByteBuffer.allocate(4 * formats.length);
        for (int[] format : formats) {
            entries.put((byte) format[0]).put((byte) READABLE).putShort((short) format[1]);
        }
        return entries;
    }

    private boolean hasAdip() {
        return bookType() == 0x9;
    }

    /** Which standard the disc is of: its number, by the layer descriptor. */
    private int bookType() {
        if (disc.isPressed()) {
            return 0x0;
        }
        return switch (disc.kind()) {
            case DVD_PLUS_RW -> 0x9;
            case DVD_MINUS_RW -> 0x3;
            case DVD_RAM, CD_RW -> 0x1;
        };
    }

    private ByteBuffer layer(int bytes) {
        boolean isRam = bookType() == 0x1;
        int version = disc.isPressed() ? 1 : 2;
        ByteBuffer layer = ByteBuffer.allocate(bytes);
        layer.put(0, (byte) (bookType() << 4 | version));
        layer.put(1, (byte) 0x02); // 120 mm; 10.08 Mbit/s at most
        layer.put(2, (byte) (disc.isPressed() ? 0x01 : 0x04)); // one layer: embossed, rewritable
        layer.put(3, (byte) (isRam ? 0x42 : 0x00)); // bits and tracks, how close
        int first = isRam ? 0x31000 : 0x30000;
        layer.putInt(4, first);
        layer.putInt(8, first + Math.max(1, disc.recordedBlocks()) - 1);
        return layer;
    }

    private ByteBuffer adip() throws CheckCondition {
        CheckCondition.requireField(hasAdip());
        ByteBuffer adip = layer(ADIP_BYTES);
        adip.putInt(8, 0x30000 + disc.capacityBlocks() - 1);
        adip.put(19, "SPINDLE".getBytes(US_ASCII));
        return adip;
    }

    /** Bit 0 until the tray is opened, bit 1 for good, bit 2 by the cartridge. */
    private ByteBuffer protection() {
        ByteBuffer protection = ByteBuffer.allocate(4);
        protection.put(0, (byte) (disc.isWriteProtected() ? 0x04 : 0));
        return protection;
    }
}
