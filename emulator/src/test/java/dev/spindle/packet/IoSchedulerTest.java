package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.packet.IoScheduler.Step;
import org.junit.jupiter.api.Test;

/** Both generations of the driver's scheduler, decision by decision. */
class IoSchedulerTest {
    private static final int PACKET_BYTES = 32768;
    private final IoScheduler scheduler = new IoScheduler();

    private static BlockRequest request(BlockOperation operation, long offset, long length) {
        return new BlockRequest((_, _) -> {}).prepare(operation, offset, length, 0);
    }

    private static BlockRequest write(int packet) {
        return request(BlockOperation.WRITE, (long) packet * PACKET_BYTES, PACKET_BYTES);
    }

    private static BlockRequest read(int kb) {
        return request(BlockOperation.READ, 0, kb * 1024L);
    }

    private void sends(PacketScheduler generation, BlockRequest expected) {
        assertThat(scheduler.next(generation)).isEqualTo(new Step.Send(expected));
    }

    private void flushes(PacketScheduler generation) {
        assertThat(scheduler.next(generation)).isInstanceOf(Step.Flush.class);
        scheduler.flushed();
    }

    private void waits(PacketScheduler generation) {
        assertThat(scheduler.next(generation)).isInstanceOf(Step.Wait.class);
    }

    /** One packet on its way to the drive and back, so that it is writing. */
    private void beginWriting(PacketScheduler generation) {
        BlockRequest first = write(0);
        scheduler.addWrite(first);
        sends(generation, first);
        scheduler.ended();
        assertThat(scheduler.isWriting()).isTrue();
    }

    @Test
    void hasNothingToDoAtFirst() {
        waits(PacketScheduler.AT_SEEK);
    }

    @Test
    void readsComeFirstWhileItReads() {
        BlockRequest read = read(2);
        scheduler.addWrite(write(0));
        scheduler.addGatherRead(read);
        sends(PacketScheduler.AT_SEEK, read);
        waits(PacketScheduler.AT_SEEK);
        scheduler.ended();
        assertThat(scheduler.next(PacketScheduler.AT_SEEK)).isInstanceOf(Step.Send.class);
        assertThat(scheduler.isWriting()).isTrue();
    }

    @Test
    void theOldOneLetsGatherReadsWaitUntilNothingIsLeftToWrite() {
        beginWriting(PacketScheduler.WHEN_STUCK);
        BlockRequest far = write(100);
        BlockRequest read = read(2);
        scheduler.addGatherRead(read);
        scheduler.addWrite(far);
        sends(PacketScheduler.WHEN_STUCK, far);
        waits(PacketScheduler.WHEN_STUCK);
        scheduler.ended();
        flushes(PacketScheduler.WHEN_STUCK);
        sends(PacketScheduler.WHEN_STUCK, read);
    }

    @Test
    void theOldOneTurnsForTheHostAtOnce() {
        beginWriting(PacketScheduler.WHEN_STUCK);
        scheduler.addHostRead(read(2));
        scheduler.addWrite(write(1));
        flushes(PacketScheduler.WHEN_STUCK);
    }

    @Test
    void aHostsReadIsForgottenWithTheLastRead() {
        BlockRequest read = read(2);
        scheduler.addHostRead(read);
        sends(PacketScheduler.WHEN_STUCK, read);
        scheduler.ended();
        beginWriting(PacketScheduler.WHEN_STUCK);
        BlockRequest far = write(100);
        scheduler.addGatherRead(read(2));
        scheduler.addWrite(far);
        sends(PacketScheduler.WHEN_STUCK, far);
    }

    @Test
    void theNewOneReadsWhereItWouldSeekAnyway() {
        beginWriting(PacketScheduler.AT_SEEK);
        BlockRequest next = write(1);
        scheduler.addGatherRead(read(2));
        scheduler.addWrite(next);
        scheduler.addWrite(write(3));
        sends(PacketScheduler.AT_SEEK, next);
        waits(PacketScheduler.AT_SEEK);
        scheduler.ended();
        flushes(PacketScheduler.AT_SEEK);
    }

    @Test
    void theNewOneMakesEvenTheHostWaitForTheStream() {
        beginWriting(PacketScheduler.AT_SEEK);
        BlockRequest next = write(1);
        scheduler.addHostRead(read(2));
        scheduler.addWrite(next);
        sends(PacketScheduler.AT_SEEK, next);
    }

    @Test
    void halfAMegabyteOfReadsOneAfterTheOtherIsWorthSpeed() {
        for (int i = 0; i < 4; i++) {
            assertThat(scheduler.wantsFastReads()).isFalse();
            scheduler.addHostRead(read(128));
            scheduler.next(PacketScheduler.AT_SEEK);
        }
        assertThat(scheduler.wantsFastReads()).isTrue();
        for (int i = 0; i < 4; i++) {
            scheduler.ended();
        }
        beginWriting(PacketScheduler.AT_SEEK);
        assertThat(scheduler.wantsFastReads()).isFalse();
    }
}
