package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.PlantedFault;
import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.optical.Burners;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.OpticalProfile;
import dev.spindle.media.BackingStore;
import dev.spindle.metrics.Counter;
import dev.spindle.queue.Submitter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold of burner and packet writer, and that each of it is noticed where it does not. */
class PlantedPacketFaultsTest {
    private static final int FRAME = PacketGeometry.FRAME_BYTES;
    private static final long CAPACITY = 64L << 20;
    private static final int PACKET_FRAMES = 16;
    private static final PacketSettings BLOCKING = settings(500);

    static Stream<PlantedFault<Bench>> faults() {
        return Stream.of(
                new PlantedFault<>(
                        "gathering: what is read is lost",
                        () -> new Bench(Burners.dvdPlusRw(), memory(), BLOCKING),
                        () -> new Bench(Burners.dvdPlusRw(), new BlindStore(memory()), BLOCKING),
                        PlantedPacketFaultsTest::theRestOfAPacketStaysWhatItWas),
                new PlantedFault<>(
                        "whole zones: a write goes past the packet writer",
                        () -> new Bench(Burners.dvdPlusRw(), memory(), BLOCKING),
                        () -> new Bench(Burners.dvdPlusRw(), memory(), BLOCKING).bypassing(),
                        PlantedPacketFaultsTest::everythingReachesTheDiscInWholePackets),
                new PlantedFault<>(
                        "link loss: none",
                        onMedium(MediumKind.CD_RW),
                        onMedium(MediumKind.DVD_PLUS_RW),
                        PlantedPacketFaultsTest::linksTakeAFifthOfTheDisc),
                new PlantedFault<>(
                        "recovery: an error is kept to oneself",
                        () -> new Bench(Burners.dvdPlusRw(), scratched(), BLOCKING),
                        () -> new Bench(Burners.dvdPlusRw(), new SinkStore(CAPACITY), BLOCKING),
                        PlantedPacketFaultsTest::aPacketThatFailsEndsInAnError),
                new PlantedFault<>(
                        "read/write scheduler: it is made to turn for each packet",
                        () -> new Bench(Burners.dvdPlusRw(), sink(), BLOCKING),
                        () -> new Bench(Burners.dvdPlusRw(), sink(), BLOCKING).forcing(),
                        PlantedPacketFaultsTest::theDriveIsTurnedOnlyWhenStuck),
                new PlantedFault<>(
                        "congestion: no distance between on and off",
                        () -> new Bench(Burners.dvdPlusRw(), sink(), BLOCKING),
                        () -> new Bench(Burners.dvdPlusRw(), sink(), settings(999)),
                        PlantedPacketFaultsTest::theFlagDoesNotFlutter),
                new PlantedFault<>(
                        "drive buffer: it waits for the disc",
                        () -> new Bench(Burners.dvdPlusRw(), sink(), BLOCKING),
                        () -> new Bench(Burners.dvdPlusRw(), sink(), BLOCKING).forcing(),
                        PlantedPacketFaultsTest::aPacketIsReportedFromTheBuffer),
                new PlantedFault<>(
                        "power cut: FLUSH leaves the store's cache as it is",
                        () ->
                                new Bench(
                                        Burners.dvdPlusRw(),
                                        new CrashingStore(memory(), true),
                                        BLOCKING),
                        () ->
                                new Bench(
                                        Burners.dvdPlusRw(),
                                        new CrashingStore(memory(), false),
                                        BLOCKING),
                        PlantedPacketFaultsTest::whatWasFlushedSurvives));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void isNoticed(PlantedFault<Bench> fault) {
        fault.verify();
    }

    private static PacketSettings settings(int off) {
        return new PacketSettings(
                CongestionPolicy.BLOCK,
                new WriteMarks(1000, off),
                PacketScheduler.WHEN_STUCK,
                PacketSettings.DEFAULT_WAIT_NS);
    }

    private static BackingStore memory() {
        return new WholePacketStore(CAPACITY, PACKET_FRAMES * FRAME);
    }

    private static BackingStore sink() {
        return new SinkStore(CAPACITY);
    }

    private static BackingStore scratched() {
        return new SinkStore(CAPACITY).failing(CAPACITY / 2, false, true);
    }

    private static Supplier<Bench> onMedium(MediumKind medium) {
        return () -> new Bench(Burners.of(medium, 4), sink(), BLOCKING);
    }

    private static void theRestOfAPacketStaysWhatItWas(Bench bench) {
        bench.write(0, PACKET_FRAMES, 7);
        bench.burner.sync();
        bench.write(160, PACKET_FRAMES, 8);
        bench.burner.sync();
        bench.write(3, 1, 9);
        bench.burner.sync();
        bench.seeAgain();
        assertThat(bench.byteOf(2)).isEqualTo((byte) 7);
        assertThat(bench.byteOf(3)).isEqualTo((byte) 9);
        assertThat(bench.byteOf(4)).isEqualTo((byte) 7);
    }

    private static void everythingReachesTheDiscInWholePackets(Bench bench) {
        bench.write(5, 1, 1);
        bench.write(100, 40, 2);
        bench.burner.sync();
    }

    private static void linksTakeAFifthOfTheDisc(Bench bench) {
        int frames = 32 * 100;
        for (int i = 0; i < frames; i += 32) {
            bench.write(i, 32, 0);
        }
        bench.burner.sync();
        OpticalProfile profile = bench.burner.drive.profile();
        double atOne = profile.medium() == MediumKind.CD_RW ? 153_600 : 1_385_000;
        double dataSeconds = frames * FRAME / (profile.speed() * atOne);
        double elsewhere = (Burners.TIMING.startUpNs() + Burners.TIMING.writeRestartNs()) / 1e9;
        assertThat(bench.burner.nowSeconds() - elsewhere).isGreaterThan(1.15 * dataSeconds);
    }

    private static void aPacketThatFailsEndsInAnError(Bench bench) {
        BlockRequest bad = bench.write((int) (CAPACITY / FRAME) - 16, 16, 0);
        bench.burner.sync();
        assertThat(bad.status()).isEqualTo(BlockStatus.IO_ERROR);
        assertThat(bench.burner.count(PacketCounter.RECOVERIES)).isEqualTo(1);
    }

    /** Far apart, and every other one with a hole in it. */
    private static void theDriveIsTurnedOnlyWhenStuck(Bench bench) {
        for (int i = 0; i < 40; i++) {
            bench.write(64 * i, i % 2 == 0 ? 16 : 15, 0);
        }
        bench.burner.sync();
        assertThat(bench.burner.count(PacketCounter.TURNS)).isLessThan(10);
    }

    private static void theFlagDoesNotFlutter(Bench bench) {
        bench.burner.stream(0, 5000);
        bench.burner.sync();
        assertThat(bench.burner.writer.counters().get(Counter.WRITE_CONGESTED)).isBetween(1L, 10L);
    }

    /** The laser is on and the buffer has room: command and bus, and no more. */
    private static void aPacketIsReportedFromTheBuffer(Bench bench) {
        for (int i = 0; i < 20; i++) {
            bench.write(16 * i, 16, 0);
        }
        bench.burner.drain();
        assertThat(bench.burner.nowSeconds()).isLessThan(1);
    }

    private static void whatWasFlushedSurvives(Bench bench) {
        bench.write(0, PACKET_FRAMES, 7);
        bench.burner.sync();
        bench.seeAgain();
        assertThat(bench.byteOf(2)).isEqualTo((byte) 7);
    }

    /** A burner, its disc and a host. */
    static final class Bench {
        private final VirtualBurner burner;
        private final BackingStore store;
        private boolean bypasses;
        private boolean forces;

        Bench(OpticalProfile profile, BackingStore store, PacketSettings settings) {
            this.store = store;
            burner = new VirtualBurner(profile, store, settings);
        }

        Bench bypassing() {
            bypasses = true;
            return this;
        }

        Bench forcing() {
            forces = true;
            return this;
        }

        BlockRequest write(int frame, int frames, int value) {
            ByteBuffer data = ByteBuffer.allocate(frames * FRAME);
            while (data.hasRemaining()) {
                data.put((byte) value);
            }
            BlockRequest request =
                    burner.request(BlockOperation.WRITE, frame, frames).withData(data, 0);
            if (bypasses) {
                burner.queue.submit(request, Submitter.thatNeedsNoNews(), burner.nowNs());
                burner.queue.advance(burner.nowNs());
            } else {
                burner.submit(request);
            }
            if (forces) {
                burner.sync();
            }
            return request;
        }

        /** From now on the store is asked from outside, after the power has been away. */
        void seeAgain() {
            if (store instanceof CrashingStore crashing) {
                crashing.losePower();
            }
            if (store instanceof BlindStore blind) {
                blind.see();
            }
        }

        byte byteOf(int frame) {
            ByteBuffer data = ByteBuffer.allocate(FRAME);
            try {
                store.read((long) frame * FRAME, data, 0, FRAME);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return data.get(100);
        }
    }
}
