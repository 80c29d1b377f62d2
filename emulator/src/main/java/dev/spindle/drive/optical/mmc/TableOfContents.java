package dev.spindle.drive.optical.mmc;

import java.nio.ByteBuffer;

/**
 * READ TOC/PMA/ATIP: formats 0 (TOC), 1 (sessions) and, of a CD, 2 (raw TOC). A disc here has one
 * session of one track; a blank one has none. Of a DVD such a table is made up (MMC-5).
 */
final class TableOfContents {
    private static final int LEAD_OUT = 0xaa;
    private static final int DATA_TRACK = 0x14;
    private static final int DATA_TRACK_IN_PACKETS = 0x15;
    private static final int TIME = 0x02;

    private final DiscView disc;

    TableOfContents(DiscView disc) {
        this.disc = disc;
    }

    byte[] answer(Cdb cdb) throws CheckCondition {
        CheckCondition.requireField(!disc.isBlank());
        // ATAPI drives of old had the format in the last byte.
        int format = (cdb.u8(2) & 0x0f) != 0 ? cdb.u8(2) & 0x0f : cdb.u8(9) >> 6;
        boolean isTime = cdb.has(1, TIME);
        return switch (format) {
            case 0 -> tracks(cdb.u8(6), isTime);
            case 1 -> sessions(isTime);
            case 2 -> raw(cdb.u8(6));
            default -> throw new CheckCondition(Sense.INVALID_FIELD);
        };
    }

    private int control() {
        return disc.isInPackets() ? DATA_TRACK_IN_PACKETS : DATA_TRACK;
    }

    private byte[] tracks(int first, boolean isTime) throws CheckCondition {
        CheckCondition.requireField(first <= 1 || first == LEAD_OUT);
        ByteBuffer data = ByteBuffer.allocate(first == LEAD_OUT ? 12 : 20);
        data.putShort((short) (data.capacity() - 2)).put((byte) 1).put((byte) 1);
        if (first != LEAD_OUT) {
            track(data, 1, 0, isTime);
        }
        track(data, LEAD_OUT, disc.recordedBlocks(), isTime);
        return data.array();
    }

    private void track(ByteBuffer data, int number, int block, boolean isTime) {
        data.put((byte) 0).put((byte) control()).put((byte) number).put((byte) 0);
        data.putInt(isTime ? DiscView.msf(block) : block);
    }

    private byte[] sessions(boolean isTime) {
        ByteBuffer data = ByteBuffer.allocate(12);
        data.putShort((short) 10).put((byte) 1).put((byte) 1);
        track(data, 1, 0, isTime);
        return data.array();
    }

    /** As it stands in the lead-in: points A0, A1, A2 and the track. */
    private byte[] raw(int firstSession) throws CheckCondition {
        CheckCondition.requireField(disc.isCd() && firstSession <= 1);
        ByteBuffer data = ByteBuffer.allocate(4 + 4 * 11);
        data.putShort((short) (data.capacity() - 2)).put((byte) 1).put((byte) 1);
        point(data, 0xa0, 1 << 16);
        point(data, 0xa1, 1 << 16);
        point(data, 0xa2, DiscView.msf(disc.recordedBlocks()));
        point(data, 1, DiscView.msf(0));
        return data.array();
    }

    private void point(ByteBuffer data, int point, int place) {
        data.put((byte) 1).put((byte) control()).put((byte) 0).put((byte) point);
        data.put((byte) 0).put((byte) 0).put((byte) 0);
        data.putInt(place);
    }
}
