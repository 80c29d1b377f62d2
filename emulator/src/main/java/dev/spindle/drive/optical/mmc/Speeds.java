package dev.spindle.drive.optical.mmc;

import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.OpticalDrive;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;

/**
 * How fast the drive reads and writes, and what it buffers: SET CD SPEED, SET STREAMING, GET
 * PERFORMANCE, READ BUFFER CAPACITY. A speed it does not have becomes the next lower one, or its
 * lowest.
 */
final class Speeds {
    private static final int STREAMING_BYTES = 28;
    private static final int RESTORE_DEFAULTS = 0x04;
    private static final int EXACT = 0x02;
    private static final int PERFORMANCE = 0x00;
    private static final int WRITE_SPEEDS = 0x03;
    private static final int FOR_WRITING = 0x04;
    private static final int HEADER_BYTES = 8;
    private static final int DESCRIPTOR_BYTES = 16;

    private final OpticalDrive burner;
    private final MmcIdentity identity;

    Speeds(OpticalDrive burner, MmcIdentity identity) {
        this.burner = burner;
        this.identity = identity;
    }

    /** The fastest first. */
    List<Integer> writeKbPerSecond() {
        return identity.writeSpeeds().stream()
                .sorted(Comparator.reverseOrder())
                .map(this::kbPerSecond)
                .toList();
    }

    int mostReadKbPerSecond() {
        return kbPerSecond(burner.profile().maxReadSpeed());
    }

    private int kbPerSecond(double speed) {
        return (int) Math.round(speed * burner.profile().medium().kbPerSecondAtOne());
    }

    byte[] setSpeed(MmcCall call) {
        burner.setReadSpeed(call.cdb().u16(2), call.nowNs());
        burner.setWriteSpeed(nearest(call.cdb().u16(4)), call.nowNs());
        return MmcDrive.nothing();
    }

    private double nearest(long kbPerSecond) {
        double lowest =
                identity.writeSpeeds().stream().min(Comparator.naturalOrder()).orElseThrow();
        return identity.writeSpeeds().stream()
                .filter(speed -> kbPerSecond(speed) <= kbPerSecond)
                .max(Comparator.naturalOrder())
                .orElse(lowest);
    }

    /**
     * The performance descriptor.
     *
     * <pre>
     *   0  flags          8  end block       16  time for it, ms      24  time for it, ms
     *   4  start block   12  read size, kB   20  write size, kB
     * </pre>
     */
    byte[] setStreaming(MmcCall call) throws CheckCondition {
        CheckCondition.requireField(call.cdb().u8(8) == PERFORMANCE);
        int length = call.cdb().u16(9);
        CheckCondition.require(
                length == STREAMING_BYTES && call.data().length >= length,
                Sense.PARAMETER_LIST_LENGTH);
        ByteBuffer list = ByteBuffer.wrap(call.data());
        if ((list.get(0) & RESTORE_DEFAULTS) != 0) {
            burner.setReadSpeed(kbPerSecond(burner.profile().speed()), call.nowNs());
            burner.setWriteSpeed(burner.profile().speed(), call.nowNs());
            return MmcDrive.nothing();
        }
        CheckCondition.require(
                list.getInt(16) != 0 && list.getInt(24) != 0, Sense.INVALID_PARAMETER);
        long readKb = rate(list, 12);
        long writeKb = rate(list, 20);
        double writeSpeed = nearest(writeKb);
        boolean isExact = (list.get(0) & EXACT) != 0;
        CheckCondition.require(
                !isExact || kbPerSecond(writeSpeed) == writeKb, Sense.INVALID_PARAMETER);
        burner.setReadSpeed((int) Math.min(Integer.MAX_VALUE, readKb), call.nowNs());
        burner.setWriteSpeed(writeSpeed, call.nowNs());
        return MmcDrive.nothing();
    }

    /** A size in kB and a time in ms, in kB/s. */
    private static long rate(ByteBuffer list, int at) {
        long size = list.getInt(at) & 0xffff_ffffL;
        long time = list.getInt(at + 4) & 0xffff_ffffL;
        return size * 1000 / time;
    }

    /** Whatever tolerance is asked for: programs of the time ask for none. */
    byte[] performance(Cdb cdb) throws CheckCondition {
        int most = cdb.u16(8);
        return switch (cdb.u8(10)) {
            case PERFORMANCE -> {
                boolean isException = (cdb.u8(1) & 0x03) != 0;
                yield nominal(cdb.has(1, FOR_WRITING), isException ? 0 : 1, most);
            }
            case WRITE_SPEEDS -> writeSpeeds(most);
            default -> throw new CheckCondition(Sense.INVALID_FIELD);
        };
    }

    /** Room for as many as the host takes, behind a header that says how many there are. */
    private static byte[] descriptors(int there, int most) {
        byte[] data = new byte[HEADER_BYTES + DESCRIPTOR_BYTES * Math.min(there, most)];
        ByteBuffer.wrap(data).putInt(0, HEADER_BYTES - 4 + DESCRIPTOR_BYTES * there);
        return data;
    }

    /** The same from the first block to the last; nowhere is an exception to that. */
    private byte[] nominal(boolean isWrite, int there, int most) {
        byte[] told = descriptors(there, most);
        ByteBuffer data = ByteBuffer.wrap(told).position(HEADER_BYTES);
        data.put(4, (byte) ((isWrite ? 0x02 : 0) | (there == 0 ? 0x01 : 0)));
        int kb = isWrite ? burner.writeKbPerSecond() : burner.readKbPerSecond();
        if (data.hasRemaining()) {
            data.putInt(0).putInt(kb).putInt(identity.capacityBlocks() - 1).putInt(kb);
        }
        return told;
    }

    private byte[] writeSpeeds(int most) {
        List<Integer> speeds = writeKbPerSecond();
        byte[] told = descriptors(speeds.size(), most);
        ByteBuffer data = ByteBuffer.wrap(told).position(HEADER_BYTES);
        for (int kb : speeds) {
            if (data.hasRemaining()) {
                data.putInt(EXACT << 24).putInt(identity.capacityBlocks() - 1);
                data.putInt(mostReadKbPerSecond()).putInt(kb);
            }
        }
        return told;
    }

    /** In bytes, or in blocks where the host asks for that. */
    byte[] bufferCapacity(MmcCall call) {
        boolean inBlocks = call.cdb().has(1, 0x01);
        int unit = inBlocks ? MediumKind.BLOCK_BYTES : 1;
        ByteBuffer data = ByteBuffer.allocate(12);
        data.putShort(0, (short) 10);
        data.put(3, (byte) (inBlocks ? 1 : 0));
        data.putInt(4, (int) (burner.profile().bufferBytes() / unit));
        data.putInt(8, (int) (burner.bufferFreeBytes(call.nowNs()) / unit));
        return data.array();
    }
}
