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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Discs formatted, blanked and finalised; speeds changed; DVD-RAM that verifies. */
class DiscOperationTest {
    private static final long CAPACITY = 32 << 20;
    private static final long SECTORS = CAPACITY / 512;
    private static final int MOST = 128;
    private static final double START_UP_S = 3.5;
    private static final double RESTART_S = 0.24;

    private OpticalDrive drive = make(Burners.dvdPlusRw());
    private BlockStatus status = BlockStatus.OK;
    private byte lastRead;
    private long nowNs;

    private OpticalDrive make(OpticalProfile profile) {
        return new OpticalDrive(profile, CAPACITY, DataMover.inline(new MemoryStore(CAPACITY)));
    }

    private static OpticalProfile profile(MediumKind medium, MediumState state, boolean verifies) {
        return new OpticalProfile(medium, state, 4, 8, Burners.TIMING, 20e6, 2 << 20, verifies);
    }

    private double run(BlockOperation operation, long sector, long sectors) {
        var request = new BlockRequest((_, _) -> {});
        ByteBuffer data = ByteBuffer.allocate(Math.max(1, (int) sectors) * 512);
        data.put(0, (byte) 7);
        request.prepare(operation, sector * 512, sectors * 512, 0).withData(data, 0);
        var part = new RequestPart().set(request, sector * 512, sectors * 512);
        var command = new DriveCommand().begin(part, nowNs);
        drive.start(command, nowNs);
        long beganNs = nowNs;
        nowNs = drive.nextDeadlineNs();
        assertThat(drive.poll(nowNs)).isSameAs(command);
        status = command.status();
        lastRead = operation == BlockOperation.READ ? data.get(0) : lastRead;
        return (nowNs - beganNs) / 1e9;
    }

    private double write(long first, long sectors) {
        double seconds = 0;
        for (long done = 0; done < sectors; done += MOST) {
            seconds += run(BlockOperation.WRITE, first + done, Math.min(MOST, sectors - done));
        }
        return seconds + run(BlockOperation.FLUSH, 0, 0);
    }

    /** To its end. */
    private double operate(DiscOperation operation) {
        assertThat(drive.refusal(operation)).isEmpty();
        long endNs = drive.begin(operation, nowNs);
        double seconds = (endNs - nowNs) / 1e9;
        assertThat(drive.isReady()).isFalse();
        assertThat(drive.nextDeadlineNs()).isEqualTo(endNs);
        assertThat(drive.poll(endNs - 1)).isNull();
        assertThat(drive.discOperation()).isEqualTo(operation);
        nowNs = endNs;
        assertThat(drive.poll(nowNs)).isNull();
        assertThat(drive.isReady()).isTrue();
        return seconds;
    }

    @ParameterizedTest
    @EnumSource(MediumKind.class)
    void aFullFormatTakesAsLongAsWritingTheDisc(MediumKind medium) {
        boolean verifies = medium == MediumKind.DVD_RAM;
        drive = make(profile(medium, MediumState.FORMATTED, verifies));
        double written = write(0, SECTORS);
        drive = make(profile(medium, MediumState.UNFORMATTED, verifies));
        assertThat(operate(DiscOperation.FORMAT)).isCloseTo(written, within(0.05));
    }

    @Test
    void aCdRwOf80MinutesFormatsInTwentyMinutesAt4x() {
        long capacity = MediumKind.CD_RW.capacityBytes();
        OpticalProfile profile = profile(MediumKind.CD_RW, MediumState.BLANK, false);
        drive = new OpticalDrive(profile, capacity, DataMover.inline(new MemoryStore(capacity)));
        assertThat(operate(DiscOperation.FORMAT))
                .isCloseTo(80 * 60 / 4.0 + START_UP_S + RESTART_S, within(3.0));
        assertThat(operate(DiscOperation.FINALISE)).isCloseTo(150 / 4.0 + RESTART_S, within(0.1));
        assertThat(drive.discState()).isEqualTo(MediumState.FINALISED);
    }

    @Test
    void aBlankDiscTakesNoWritesUntilItIsFormatted() {
        drive = make(profile(MediumKind.CD_RW, MediumState.FORMATTED, false));
        write(0, MOST);
        run(BlockOperation.READ, 0, 4);
        assertThat(lastRead).isEqualTo((byte) 7);
        int[] changes = new int[1];
        drive.whenDiscChanges(() -> changes[0]++);
        operate(DiscOperation.QUICK_BLANK);
        assertThat(drive.discState()).isEqualTo(MediumState.BLANK);
        assertThat(changes[0]).isOne();
        write(0, MOST);
        run(BlockOperation.WRITE, 0, MOST);
        assertThat(status).isEqualTo(BlockStatus.IO_ERROR);
        run(BlockOperation.READ, 0, 4);
        assertThat(lastRead).isZero();
        operate(DiscOperation.FORMAT);
        run(BlockOperation.WRITE, 0, MOST);
        assertThat(status).isEqualTo(BlockStatus.OK);
    }

    @Test
    void whatIsInTheBufferIsWrittenFirst() {
        write(0, MOST);
        drive.begin(DiscOperation.QUICK_FORMAT, nowNs);
        double idle = drive.discOperationEndNs() - nowNs;
        drive = make(Burners.dvdPlusRw());
        nowNs = 0;
        write(0, MOST);
        run(BlockOperation.WRITE, 0, MOST);
        run(BlockOperation.WRITE, MOST, MOST);
        drive.begin(DiscOperation.QUICK_FORMAT, nowNs);
        assertThat((double) (drive.discOperationEndNs() - nowNs)).isGreaterThan(idle + 0.2e9);
    }

    @Test
    void aCommandThatWaitedBeginsWhenTheOperationHasEnded() {
        long endNs = drive.begin(DiscOperation.QUICK_FORMAT, nowNs);
        assertThat(drive.poll(endNs + 5_000_000)).isNull();
        nowNs = 1_000_000;
        run(BlockOperation.READ, 0, 4);
        assertThat(nowNs).isGreaterThan(endNs + 160_000_000L).isLessThan(endNs + 200_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "CD_RW, FORMATTED, QUICK_FORMAT, a CD-RW knows no such operation",
        "DVD_PLUS_RW, FORMATTED, BLANK, a DVD+RW knows no such operation",
        "DVD_RAM, FORMATTED, QUICK_BLANK, a DVD-RAM knows no such operation",
        "DVD_RAM, FORMATTED, FINALISE, a DVD-RAM knows no such operation",
        "CD_RW, BLANK, FINALISE, only a formatted disc can be finalised",
        "CD_RW, WRITE_PROTECTED, FORMAT, the disc is write-protected",
        "DVD_MINUS_RW, READ_ONLY, BLANK, the disc is read-only"
    })
    void refusesWhatCannotBe(
            MediumKind medium, MediumState state, DiscOperation operation, String why) {
        drive = make(profile(medium, state, false));
        assertThat(drive.refusal(operation)).isEqualTo(why);
    }

    @Test
    void refusesWhileSomethingElseIsUnderWay() {
        drive.begin(DiscOperation.FORMAT, nowNs);
        assertThat(drive.refusal(DiscOperation.FORMAT)).contains("busy with another operation");
        drive = make(Burners.dvdPlusRw());
        var request = new BlockRequest((_, _) -> {}).prepare(BlockOperation.FLUSH, 0, 0, 0);
        drive.start(new DriveCommand().begin(new RequestPart().set(request, 0, 0), 0), 0);
        assertThat(drive.refusal(DiscOperation.FORMAT)).contains("at work on a command");
    }

    @Test
    void finalisingADvdPlusRwLeavesItWritable() {
        operate(DiscOperation.FINALISE);
        assertThat(drive.discState()).isEqualTo(MediumState.FORMATTED);
    }

    @Test
    void writesAtHalfTheSpeedInTwiceTheTime() {
        write(0, MOST);
        double atFour = write(0, 8192) - RESTART_S;
        drive.setWriteSpeed(2, nowNs);
        double first = write(0, 8192) - RESTART_S;
        double second = write(0, 8192) - RESTART_S;
        assertThat(second).isCloseTo(2 * atFour, within(0.02));
        assertThat(first - second)
                .as("its power is found anew")
                .isCloseTo(START_UP_S, within(0.01));
        drive.setWriteSpeed(4, nowNs);
        assertThat(write(0, 8192) - RESTART_S).as("known").isCloseTo(atFour, within(0.01));
    }

    @Test
    void aDvdRamThatVerifiesWritesAtHalfTheRateAndReadsAtTheWhole() {
        drive = make(profile(MediumKind.DVD_RAM, MediumState.FORMATTED, false));
        write(0, MOST);
        double plain = write(0, 8192) - RESTART_S;
        double read = run(BlockOperation.READ, 0, 8192);
        drive = make(profile(MediumKind.DVD_RAM, MediumState.FORMATTED, true));
        write(0, MOST);
        assertThat(write(0, 8192) - RESTART_S).isCloseTo(2 * plain, within(0.02));
        assertThat(run(BlockOperation.READ, 0, 8192)).isCloseTo(read, within(0.001));
    }
}
