package dev.spindle.drive.optical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import dev.spindle.media.MemoryStore;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * {@link Burners}: 0.5 ms a command, 160 ms a read access, 240 ms a write restart, 3.5 s start-up;
 * at 4x a packet of 32 KiB is 5.915 ms on a DVD, one of 64 KiB 130 ms on a CD-RW.
 */
class OpticalDriveTest {
    private static final long CAPACITY = 64 << 20;
    private static final double COMMAND_MS = 0.5;
    private static final double ACCESS_MS = 160;
    private static final double RESTART_MS = 240;
    private static final double START_UP_MS = 3500;
    private static final double PACKET_MS = 32768 / 5540.0;
    private static final double PACKET_BUS_MS = 32768 / 20e3;
    private static final long PACKET = 64;

    private OpticalDrive drive = make(Burners.dvdPlusRw());
    private BlockStatus status = BlockStatus.OK;
    private long nowNs;

    private static OpticalDrive make(OpticalProfile profile) {
        return new OpticalDrive(profile, CAPACITY, DataMover.inline(new MemoryStore(CAPACITY)));
    }

    /** Runs a command to its end; its service time in ms. */
    private double run(BlockOperation operation, long sector, long sectors, boolean fua) {
        var request = new BlockRequest((_, _) -> {});
        request.prepare(operation, sector * 512, sectors * 512, 0).withFua(fua);
        if (operation == BlockOperation.WRITE) {
            request.withData(ByteBuffer.allocate((int) sectors * 512), 0);
        }
        var part = new RequestPart().set(request, sector * 512, sectors * 512);
        var command = new DriveCommand().begin(part, nowNs);
        drive.start(command, nowNs);
        assertThat(drive.isReady()).isFalse();
        assertThat(drive.poll(drive.nextDeadlineNs() - 1)).isNull();
        long beganNs = nowNs;
        nowNs = drive.nextDeadlineNs();
        assertThat(drive.poll(nowNs)).isSameAs(command);
        status = command.status();
        return (nowNs - beganNs) / 1e6;
    }

    private double read(long sector, long sectors) {
        return run(BlockOperation.READ, sector, sectors, false);
    }

    private double write(long sector, long sectors) {
        return run(BlockOperation.WRITE, sector, sectors, false);
    }

    private double flush() {
        return run(BlockOperation.FLUSH, 0, 0, false);
    }

    private void idle(double ms) {
        nowNs += (long) (ms * 1e6);
    }

    /** A first write done with, so that start-up is behind us. */
    private void warmUp() {
        write(0, PACKET);
        flush();
    }

    private long restarts() {
        return drive.activity().writeRestarts();
    }

    @Test
    void aWriteIsReportedOnceItIsInTheBuffer() {
        assertThat(write(0, PACKET)).isCloseTo(COMMAND_MS + PACKET_BUS_MS, within(0.01));
    }

    @Test
    void theFirstWriteTakesTheStartUp() {
        write(0, PACKET);
        assertThat(flush()).isCloseTo(START_UP_MS + RESTART_MS + PACKET_MS, within(0.01));
        write(PACKET, PACKET);
        assertThat(flush()).isCloseTo(RESTART_MS + PACKET_MS, within(0.01));
    }

    @Test
    void aGaplessStreamCostsOnlyItsData() {
        warmUp();
        long before = restarts();
        long beganNs = nowNs;
        for (int i = 1; i <= 200; i++) {
            write(i * PACKET, PACKET);
        }
        flush();
        assertThat(restarts() - before).isEqualTo(1);
        assertThat((nowNs - beganNs) / 1e6)
                .isCloseTo(RESTART_MS + 200 * PACKET_MS + COMMAND_MS, within(5.0));
    }

    @Test
    void aFullBufferMakesTheWriterWait() {
        warmUp();
        int packetsInBuffer = 64;
        double fast = 0;
        for (int i = 1; i <= packetsInBuffer; i++) {
            fast = write(i * PACKET, PACKET);
        }
        assertThat(fast).isCloseTo(COMMAND_MS + PACKET_BUS_MS, within(0.01));
        write((packetsInBuffer + 1) * PACKET, PACKET);
        for (int i = 2; i < 100; i++) {
            assertThat(write((packetsInBuffer + i) * PACKET, PACKET))
                    .isBetween(0.0, RESTART_MS + PACKET_MS);
        }
        assertThat(write((packetsInBuffer + 100) * PACKET, PACKET))
                .isCloseTo(PACKET_MS, within(0.1));
        assertThat(drive.activity().bufferedBytes()).isLessThanOrEqualTo(2 << 20);
    }

    @Test
    void aBufferThatRunsDryCostsARestart() {
        warmUp();
        write(PACKET, PACKET);
        long before = restarts();
        idle(RESTART_MS + 2 * PACKET_MS);
        write(2 * PACKET, PACKET);
        assertThat(restarts()).isEqualTo(before + 1);
    }

    @Test
    void aGapInPlaceCostsARestart() {
        warmUp();
        write(PACKET, PACKET);
        long before = restarts();
        write(2 * PACKET, PACKET);
        assertThat(restarts()).isEqualTo(before);
        write(4 * PACKET, PACKET);
        assertThat(restarts()).isEqualTo(before + 1);
    }

    @Test
    void aReadWaitsForTheWritesAndThenForItsPlace() {
        warmUp();
        write(PACKET, PACKET);
        assertThat(read(100 * PACKET, 4))
                .isCloseTo(RESTART_MS + PACKET_MS + ACCESS_MS + PACKET_MS, within(1.0));
    }

    @Test
    void aReadBringsItsWholePacketAlong() {
        read(100 * PACKET + 20, 4);
        assertThat(read(100 * PACKET, 20)).isLessThan(2);
        assertThat(read(101 * PACKET - 4, 4)).isLessThan(2);
        assertThat(drive.activity().readAccesses()).isEqualTo(1);
    }

    @Test
    void readingOnCostsOnlyTheData() {
        read(0, PACKET);
        double ms = 0;
        for (int i = 1; i <= 100; i++) {
            ms += read(i * PACKET, PACKET);
        }
        assertThat(ms).isCloseTo(100 * PACKET_MS, within(10.0));
        assertThat(drive.activity().readAccesses()).isEqualTo(1);
    }

    @Test
    void readsAheadWhileNobodyAsks() {
        read(0, PACKET);
        idle(1000);
        assertThat(read(PACKET, PACKET)).isCloseTo(COMMAND_MS + PACKET_BUS_MS, within(0.01));
    }

    @Test
    void readsAheadNoFurtherThanTheBufferHolds() {
        read(0, PACKET);
        idle(60_000);
        long bufferSectors = (2 << 20) / 512;
        assertThat(read(bufferSectors, PACKET)).isLessThan(3);
        idle(60_000);
        assertThat(read(10 * bufferSectors, PACKET)).isGreaterThan(ACCESS_MS);
    }

    @Test
    void aReadALittleFurtherOnIsReachedByReadingOn() {
        read(0, PACKET);
        assertThat(read(10 * PACKET, PACKET)).isCloseTo(10 * PACKET_MS, within(1.0));
        assertThat(read(2000 * PACKET, PACKET)).isGreaterThan(ACCESS_MS);
        assertThat(drive.activity().readAccesses()).isEqualTo(2);
    }

    @Test
    void aWriteForgetsWhatWasRead() {
        warmUp();
        read(100 * PACKET, PACKET);
        write(100 * PACKET, PACKET);
        assertThat(read(100 * PACKET, 4)).isGreaterThan(ACCESS_MS);
    }

    @Test
    void forcedUnitAccessWaitsForTheDisc() {
        warmUp();
        assertThat(run(BlockOperation.WRITE, PACKET, PACKET, true))
                .isCloseTo(RESTART_MS + PACKET_MS + COMMAND_MS + PACKET_BUS_MS, within(0.1));
    }

    @Test
    void aFlushOfNothingCostsACommand() {
        assertThat(flush()).isCloseTo(COMMAND_MS, within(0.001));
    }

    @Test
    void setSpeedMakesReadsFasterUpToWhatTheDriveCan() {
        read(0, PACKET);
        drive.setReadSpeed(0xffff, nowNs);
        double fast = read(PACKET, 10 * PACKET);
        assertThat(fast).isCloseTo(10 * PACKET_MS / 2, within(2.0));
    }

    @Test
    void cdRwLosesSevenBlocksAPacketToLinking() {
        drive = make(Burners.of(MediumKind.CD_RW, 4));
        write(0, 128);
        flush();
        long beganNs = nowNs;
        write(128, 1280);
        flush();
        double packetMs = 65536 / (4 * 153.6 * 32 / 39);
        assertThat((nowNs - beganNs) / 1e6).isCloseTo(RESTART_MS + 10 * packetMs + 7, within(8.0));
    }

    @Test
    void aFormattedCdRwOfEightyMinutesHas295264Blocks() {
        assertThat(MediumKind.CD_RW.capacityBytes() / 2048).isEqualTo(295_264);
        assertThat(MediumKind.CD_RW.capacityBytes() % 65536).isZero();
        assertThat(MediumKind.DVD_PLUS_RW.capacityBytes() / 2048).isEqualTo(2_295_104);
    }

    @Test
    void partsOfPacketsAreReadFirstWhereTheDriveTakesThemAtAll() {
        warmUp();
        write(PACKET + 4, 4);
        double ms = flush();
        assertThat(status).isEqualTo(BlockStatus.OK);
        assertThat(ms).isGreaterThan(2 * ACCESS_MS + RESTART_MS);
        drive = make(Burners.of(MediumKind.CD_RW, 4));
        write(4, 4);
        assertThat(status).isEqualTo(BlockStatus.IO_ERROR);
        drive = make(Burners.of(MediumKind.DVD_MINUS_RW, 4));
        write(0, PACKET - 4);
        assertThat(status).isEqualTo(BlockStatus.IO_ERROR);
    }

    @Test
    void aPacketInSeveralCommandsOneAfterTheOtherIsNotReadFirst() {
        warmUp();
        for (int i = 0; i < 16; i++) {
            write(PACKET + 4L * i, 4);
        }
        flush();
        assertThat(drive.activity().readAccesses()).isZero();
    }

    @Test
    void aDiscThatIsNotFormattedTakesNoWrites() {
        for (MediumState state : MediumState.values()) {
            drive = make(Burners.in(state, MediumKind.DVD_PLUS_RW, 4));
            write(0, PACKET);
            BlockStatus expected =
                    switch (state) {
                        case FORMATTED -> BlockStatus.OK;
                        case WRITE_PROTECTED -> BlockStatus.READ_ONLY;
                        case BLANK, FINALISED, UNFORMATTED, READ_ONLY -> BlockStatus.IO_ERROR;
                    };
            assertThat(status).as("%s", state).isEqualTo(expected);
            read(0, PACKET);
            assertThat(status).isEqualTo(BlockStatus.OK);
        }
    }
}
