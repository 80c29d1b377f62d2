package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.optical.Burners;
import dev.spindle.media.MemoryStore;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Packets of 16 frames on the DVD+RW of {@link Burners}: each state and each rule of its own. */
class PacketWriterTest {
    private static final int PACKET = 16;
    private static final long MS = 1_000_000;
    private static final long CAPACITY = 64 << 20;
    private final MemoryStore store = new MemoryStore(CAPACITY);
    private VirtualBurner burner = make(PacketSettings.DEFAULT);

    private VirtualBurner make(PacketSettings settings) {
        return new VirtualBurner(Burners.dvdPlusRw(), store, settings);
    }

    private int count(PacketState state) {
        return burner.writer.report().count(state);
    }

    private static BlockRequest filled(VirtualBurner burner, long frame, int frames, int with) {
        byte[] bytes = new byte[frames * 2048];
        Arrays.fill(bytes, (byte) with);
        return burner.request(BlockOperation.WRITE, frame, frames)
                .withData(ByteBuffer.wrap(bytes), 0);
    }

    private byte byteAt(long frame) {
        ByteBuffer one = ByteBuffer.allocate(1);
        store.read(frame * 2048, one, 0, 1);
        return one.get(0);
    }

    @Test
    void allPacketsAreIdleAtFirst() {
        assertThat(count(PacketState.IDLE)).isEqualTo(8);
        assertThat(burner.writer.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aCompletePacketIsWrittenAtOnce() {
        burner.write(0, PACKET);
        assertThat(count(PacketState.WRITE_WAIT)).isEqualTo(1);
        burner.drain();
        assertThat(burner.ended).containsExactly(BlockStatus.OK);
        assertThat(count(PacketState.IDLE)).isEqualTo(8);
        assertThat(burner.count(PacketCounter.PACKETS_FINISHED)).isEqualTo(1);
        assertThat(burner.count(PacketCounter.KB_READ_GATHER)).isZero();
    }

    @Test
    void anIncompletePacketWaitsForMoreAndThenReadsTheRest() {
        burner.write(3, 1);
        assertThat(count(PacketState.WAITING)).isEqualTo(1);
        assertThat(burner.writer.nextDeadlineNs()).isEqualTo(5 * MS);
        burner.pass(5 * MS - 1);
        assertThat(count(PacketState.WAITING)).isEqualTo(1);
        burner.pass(1);
        assertThat(count(PacketState.READ_WAIT)).isEqualTo(1);
        assertThat(burner.count(PacketCounter.KB_READ_GATHER)).isEqualTo(30);
        burner.drain();
        assertThat(burner.ended).containsExactly(BlockStatus.OK);
        assertThat(burner.count(PacketCounter.PARTIAL)).isEqualTo(1);
    }

    @Test
    void whatComesWhileItWaitsJoinsItAndCompletesIt() {
        burner.write(0, 10);
        burner.pass(2 * MS);
        burner.write(10, 6);
        assertThat(count(PacketState.WRITE_WAIT)).isEqualTo(1);
        assertThat(burner.count(PacketCounter.ATTACHED)).isEqualTo(1);
        burner.drain();
        assertThat(burner.ended).hasSize(2);
        assertThat(burner.count(PacketCounter.PARTIAL)).isZero();
    }

    @Test
    void whatComesWhileItsRestIsReadJoinsItToo() {
        burner.submit(filled(burner, 0, 1, 1));
        burner.pass(6 * MS);
        assertThat(count(PacketState.READ_WAIT)).isEqualTo(1);
        burner.submit(filled(burner, 5, 1, 2));
        assertThat(burner.writer.queueSize()).isZero();
        burner.drain();
        assertThat(byteAt(0)).isEqualTo((byte) 1);
        assertThat(byteAt(5)).isEqualTo((byte) 2);
        assertThat(burner.count(PacketCounter.PACKETS_STARTED)).isEqualTo(1);
    }

    @Test
    void whatComesWhileItIsWrittenWaitsForItsEnd() {
        burner.submit(filled(burner, 0, PACKET, 1));
        burner.submit(filled(burner, 5, 1, 2));
        assertThat(burner.writer.queueSize()).isEqualTo(1);
        burner.drain();
        assertThat(burner.ended).hasSize(2);
        assertThat(byteAt(4)).isEqualTo((byte) 1);
        assertThat(byteAt(5)).isEqualTo((byte) 2);
        assertThat(burner.count(PacketCounter.PACKETS_STARTED)).isEqualTo(2);
    }

    @Test
    void ofTwoWritesToOneFrameTheLaterWins() {
        burner.submit(filled(burner, 3, 2, 1));
        burner.submit(filled(burner, 2, 2, 2));
        burner.drain();
        assertThat(byteAt(2)).isEqualTo((byte) 2);
        assertThat(byteAt(3)).isEqualTo((byte) 2);
        assertThat(byteAt(4)).isEqualTo((byte) 1);
    }

    @Test
    void theLaterWinsInTheWriteQueueToo() {
        for (int i = 0; i < PacketWriter.DEFAULT_PACKETS; i++) {
            burner.write((long) PACKET * i, PACKET);
        }
        burner.submit(filled(burner, 1003, 2, 1));
        burner.submit(filled(burner, 1002, 2, 2));
        assertThat(burner.writer.queueSize()).isEqualTo(2);
        burner.drain();
        assertThat(byteAt(1002)).isEqualTo((byte) 2);
        assertThat(byteAt(1003)).isEqualTo((byte) 2);
        assertThat(byteAt(1004)).isEqualTo((byte) 1);
    }

    @Test
    void aPacketReadOnceIsKeptAndNotReadAgain() {
        burner.write(3, 1);
        burner.drain();
        burner.write(7, 1);
        burner.drain();
        assertThat(burner.count(PacketCounter.PARTIAL)).isEqualTo(2);
        assertThat(burner.count(PacketCounter.CACHED)).isEqualTo(1);
        assertThat(burner.count(PacketCounter.KB_READ_GATHER)).isEqualTo(30);
    }

    @Test
    void keptPacketsAreGivenUpLast() {
        burner.write(3, 1);
        burner.drain();
        for (int i = 1; i <= 20; i++) {
            burner.write(16L * i, PACKET);
            burner.drain();
        }
        burner.write(7, 1);
        burner.drain();
        assertThat(burner.count(PacketCounter.CACHED)).isEqualTo(1);
        for (int i = 1; i <= 8; i++) {
            burner.write(1000L + 16L * i, 1);
            burner.drain();
        }
        burner.write(8, 1);
        burner.drain();
        assertThat(burner.count(PacketCounter.CACHED)).as("only eight are kept").isEqualTo(1);
    }

    @Test
    void aRequestIsCutAtZones() {
        burner.write(10, 3 * PACKET);
        assertThat(burner.count(PacketCounter.SPLITS)).isEqualTo(3);
        burner.drain();
        assertThat(burner.ended).containsExactly(BlockStatus.OK);
        assertThat(burner.count(PacketCounter.PACKETS_FINISHED)).isEqualTo(4);
        assertThat(burner.count(PacketCounter.PARTIAL)).isEqualTo(2);
    }

    @Test
    void noMoreThanEightPacketsAreInWork() {
        burner.write(0, 100 * PACKET);
        assertThat(count(PacketState.IDLE)).isZero();
        assertThat(burner.writer.queueSize()).isEqualTo(92);
        burner.drain();
        assertThat(burner.count(PacketCounter.PACKETS_FINISHED)).isEqualTo(100);
    }

    @Test
    void theScanGoesUpwardsAndRoundAgain() {
        burner.write(16_000, 8 * PACKET);
        burner.write(16_320, PACKET);
        burner.write(8_000, PACKET);
        burner.write(16_160, PACKET);
        long before = burner.writer.report().currentSector();
        assertThat(before).isEqualTo(64_512);
        burner.drain();
        assertThat(burner.writer.report().currentSector())
                .as("1010 and 1020 came first, then 500")
                .isEqualTo(32_064);
    }

    @Test
    void writeZeroesPutsZeroesIntoItsFrames() {
        burner.submit(filled(burner, 0, PACKET, 7));
        burner.drain();
        burner.submit(BlockOperation.WRITE_ZEROES, 4, 2);
        burner.drain();
        assertThat(byteAt(3)).isEqualTo((byte) 7);
        assertThat(byteAt(4)).isZero();
        assertThat(byteAt(5)).isZero();
        assertThat(byteAt(6)).isEqualTo((byte) 7);
    }

    @Test
    void aDiscardIsAHintThatADiscHasNoUseFor() {
        burner.submit(filled(burner, 0, PACKET, 7));
        burner.drain();
        burner.submit(BlockOperation.DISCARD, 0, PACKET);
        assertThat(burner.ended).hasSize(2);
        assertThat(byteAt(0)).isEqualTo((byte) 7);
    }

    @Test
    void emptyRequestsEndAtOnce() {
        burner.write(0, 0);
        assertThat(burner.ended).containsExactly(BlockStatus.OK);
    }

    @Test
    void aFlushWaitsForTheDisc() {
        burner.write(0, PACKET);
        burner.drain();
        long beforeNs = burner.nowNs();
        burner.submit(BlockOperation.FLUSH, 0, 0);
        burner.drain();
        assertThat((burner.nowNs() - beforeNs) / 1e9).isCloseTo(3.74, within(0.01));
        assertThat(burner.ended).hasSize(2);
    }

    @Test
    void forcedUnitAccessWaitsForTheDisc() {
        burner.submit(burner.request(BlockOperation.WRITE, 0, PACKET).withFua(true));
        burner.drain();
        assertThat(burner.nowSeconds()).isCloseTo(3.74, within(0.01));
    }

    @Test
    void aFailedWriteFailsAllThatIsInThePacketAndNothingElse() {
        SinkStore bad = new SinkStore(CAPACITY).failing(32_768, false, true);
        burner = new VirtualBurner(Burners.dvdPlusRw(), bad, PacketSettings.DEFAULT);
        burner.write(0, PACKET);
        burner.drain();
        burner.write(PACKET, 8);
        burner.write(PACKET + 8, 8);
        burner.drain();
        assertThat(burner.ended)
                .containsExactly(BlockStatus.OK, BlockStatus.IO_ERROR, BlockStatus.IO_ERROR);
        assertThat(burner.count(PacketCounter.RECOVERIES)).isEqualTo(1);
        assertThat(count(PacketState.IDLE)).isEqualTo(8);
    }

    @Test
    void aFailedReadOfTheRestFailsThePacketUnwritten() {
        SinkStore bad = new SinkStore(CAPACITY).failing(0, true, false);
        burner = new VirtualBurner(Burners.dvdPlusRw(), bad, PacketSettings.DEFAULT);
        burner.write(0, 1);
        burner.drain();
        assertThat(burner.ended).containsExactly(BlockStatus.IO_ERROR);
        assertThat(burner.count(PacketCounter.RECOVERIES)).isEqualTo(1);
        assertThat(burner.count(PacketCounter.PACKETS_FINISHED)).isZero();
        burner.write(0, 1);
        burner.drain();
        assertThat(burner.count(PacketCounter.CACHED)).as("what failed is not kept").isZero();
    }

    @Test
    void aLateCallerChangesNothing() {
        burner.write(3, 1);
        burner.drain();
        long endNs = burner.nowNs();
        VirtualBurner late = make(PacketSettings.DEFAULT);
        BlockRequest request = late.write(3, 1);
        late.writer.advance(endNs + 60_000 * MS);
        assertThat(late.ended).hasSize(1);
        assertThat(request.completedNs()).isEqualTo(endNs);
        assertThat(late.writer.latencies().lateness().summary().count()).isPositive();
    }

    @Test
    void readSpeedRisesAfterHalfAMegabyteOfReads() {
        for (int i = 0; i < 3; i++) {
            burner.read(i * 100L, 100);
        }
        burner.drain();
        assertThat(burner.writer.report().readKbPerSecond()).isEqualTo(0xffff);
        burner.write(16_000, PACKET);
        burner.drain();
        assertThat(burner.writer.report().readKbPerSecond()).isEqualTo(4 * 1385);
        assertThat(burner.count(PacketCounter.SPEED_CHANGES)).isEqualTo(2);
    }

    @Test
    void theProcFileIsLaidOutAsTheDrivers() {
        burner.write(0, PACKET + 1);
        burner.drain();
        burner.read(0, 1);
        burner.drain();
        assertThat(PacketInfo.text("pktcdvd0", "hdc", burner.writer))
                .isEqualTo(
                        """
                        Writer pktcdvd0 mapped to hdc:

                        Settings:
                        \tpacket size:\t\t32kB
                        \twrite type:\t\tPacket
                        \tpacket type:\t\tFixed
                        \tlink loss:\t\t0
                        \ttrack mode:\t\t5
                        \tblock mode:\t\tMode 1

                        Statistics:
                        \tpackets started:\t2
                        \tpackets ended:\t\t2
                        \twritten:\t\t34kB
                        \tread gather:\t\t30kB
                        \tread:\t\t\t2kB

                        Misc:
                        \treference count:\t1
                        \tflags:\t\t\t0x2
                        \tread speed:\t\t5540kB/s
                        \twrite speed:\t\t5540kB/s
                        \tstart offset:\t\t0
                        \tmode page offset:\t0

                        Queue state:
                        \tbios queued:\t\t0
                        \tbios pending:\t\t0
                        \tcurrent sector:\t\t0x80
                        \tstate:\t\t\ti:8 ow:0 rw:0 ww:0 rec:0 fin:0
                        \twrite congestion marks:\toff=9000 on=10000
                        """);
    }
}
