package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a session does when it may take no more, when it may again, and when its client is gone. */
class FlowControlTest {
    private static final int KIB = 1024;
    private final MemoryDevice device = new MemoryDevice(8 << 20);

    private static NbdLimits limits(int window, int inFlightBytes, int highWaterBytes) {
        NbdLimits d = NbdLimits.DEFAULTS;
        return new NbdLimits(
                d.handshakeDeadlineMs(),
                d.payloadDeadlineMs(),
                d.maxConnections(),
                d.maxOptions(),
                d.maxOptionBytes(),
                d.maxRequestBytes(),
                d.maxSkipBytes(),
                window,
                inFlightBytes,
                d.memoryBytes(),
                highWaterBytes,
                0);
    }

    private static byte[] writes(int count, int length) {
        byte[][] all = new byte[count][];
        for (int i = 0; i < count; i++) {
            all[i] = Wire.write(i, (long) i * length, Wire.pattern(i, length));
        }
        return Wire.join(all);
    }

    private static byte[] reads(int count, int length) {
        byte[][] all = new byte[count][];
        for (int i = 0; i < count; i++) {
            all[i] = Wire.request(Wire.READ, 0, i, (long) i * length, length);
        }
        return Wire.join(all);
    }

    @Test
    void theWindowBoundsWhatIsInFlightAndTheRestWaitsItsTurn() {
        device.isHolding = true;
        try (Conversation conversation =
                Conversation.inTransmission(device, limits(8, 1 << 20, 1 << 20))) {
            conversation.send(writes(20, 512));
            assertThat(device.held).hasSize(8);
            assertThat(conversation.channel.config().isAutoRead()).isFalse();
            conversation.release();
            assertThat(device.held).hasSize(8);
            conversation.release();
            assertThat(device.held).hasSize(4);
            assertThat(conversation.channel.config().isAutoRead()).isTrue();
            conversation.release();
            assertThat(conversation.received()).hasSize(20 * 16);
            assertThat(device.most).isEqualTo(8);
        }
    }

    @Test
    void readsInFlightAreBoundedInBytes() {
        device.isHolding = true;
        try (Conversation conversation =
                Conversation.inTransmission(device, limits(100, 256 * KIB, 1 << 20))) {
            conversation.send(reads(10, 64 * KIB));
            assertThat(device.held).hasSize(3);
            assertThat(conversation.channel.config().isAutoRead()).isFalse();
            for (int i = 0; i < 4; i++) {
                conversation.release();
            }
            assertThat(conversation.received()).hasSize(10 * (16 + 64 * KIB));
            assertThat(device.most).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void aRequestBeyondTheBoundIsTakenAlone() {
        device.isHolding = true;
        try (Conversation conversation =
                Conversation.inTransmission(device, limits(100, 64 * KIB, 1 << 20))) {
            conversation.send(reads(3, 1 << 20));
            assertThat(device.held).hasSize(1);
            conversation.release();
            conversation.release();
            conversation.release();
            assertThat(conversation.received()).hasSize(3 * (16 + (1 << 20)));
            assertThat(device.most).isOne();
        }
    }

    @Test
    void aFullRingIsTriedAgainAfterRunningTheDevice() {
        device.ringSlots = 3;
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(writes(50, 512));
            assertThat(conversation.received()).hasSize(50 * 16);
            assertThat(device.seen).hasSize(50);
            assertThat(device.seen.get(49)).isEqualTo("WRITE offset=25088 length=512");
        }
    }

    @Test
    void aRingThatStaysFullIsTriedAgainWhenItHasBeenEmptied() {
        device.ringSlots = 0;
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(writes(2, 512));
            assertThat(conversation.channel.config().isAutoRead()).isFalse();
            device.ringSlots = 1;
            device.run();
            conversation.channel.runPendingTasks();
            assertThat(conversation.received()).hasSize(32);
        }
    }

    @Test
    void discIsObeyedWhenAllBeforeItIsDoneAndAnswered() {
        device.isHolding = true;
        try (Conversation conversation =
                Conversation.inTransmission(device, limits(2, 1 << 20, 1 << 20))) {
            conversation.send(
                    writes(5, 512),
                    Wire.request(Wire.DISC, 0, 9, 0, 0),
                    Wire.request(Wire.READ, 0, 10, 0, 512));
            for (int i = 0; i < 3; i++) {
                assertThat(conversation.isOpen()).isTrue();
                conversation.release();
            }
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.received()).hasSize(5 * 16);
            assertThat(device.seen).hasSize(5);
        }
    }

    @Test
    void aClientThatHangsUpHasItsWholeWritesDoneAndItsReadsDropped() {
        device.isHolding = true;
        Conversation conversation =
                Conversation.inTransmission(device, limits(2, 1 << 20, 1 << 20));
        conversation.send(
                writes(5, 512),
                reads(3, 512),
                Wire.request(Wire.WRITE, 0, 99, 0, 512),
                new byte[100]);
        var _ = conversation.channel.close();
        assertThat(conversation.connections.count()).isOne();
        for (int i = 0; i < 3; i++) {
            conversation.release();
        }
        assertThat(conversation.connections.count()).isZero();
        assertThat(device.seen).hasSize(5);
        assertThat(device.seen.get(4)).isEqualTo("WRITE offset=2048 length=512");
        assertThat(device.contents).startsWith(Wire.pattern(0, 512));
        assertThat(conversation.received()).isEmpty();
        conversation.close();
    }

    @Test
    void hangingUpAnywhereLeavesNothingBehind() {
        byte[] script =
                Wire.join(
                        Wire.flags(3),
                        Wire.go("mem"),
                        writes(2, 512),
                        reads(2, 512),
                        Wire.request(Wire.WRITE, 0, 9, 8 << 20, 512),
                        new byte[512]);
        device.isHolding = true;
        for (int cut = 0; cut <= script.length; cut++) {
            Conversation conversation = new Conversation(device);
            conversation.send(java.util.Arrays.copyOf(script, cut));
            conversation.received();
            conversation.close();
        }
    }

    @Test
    void repliesOfOtherTimesAreFlushedTogether() {
        device.isHolding = true;
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(writes(10, 512));
            assertThat(conversation.received()).isEmpty();
            conversation.release();
            assertThat(conversation.channel.outboundMessages()).hasSize(1);
            assertThat(conversation.received()).hasSize(160);
        }
    }

    @Test
    void aDrainedSessionAnswersShutdownAndClosesWhenTheLastIsDone() {
        device.isHolding = true;
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(writes(1, 512));
            var drained = conversation.connections.drain();
            conversation.send(Wire.request(Wire.FLUSH, 0, 7, 0, 0));
            assertThat(conversation.received()).isEqualTo(Wire.reply(108, 7));
            assertThat(drained).isNotDone();
            conversation.release();
            assertThat(conversation.received()).isEqualTo(Wire.reply(0, 0));
            assertThat(conversation.isOpen()).isFalse();
            assertThat(drained).isCompleted();
        }
    }

    private static byte[] halfOfAWrite(long cookie) {
        return Wire.join(
                Wire.request(Wire.WRITE, 0, cookie, 0, 1 << 20), Wire.pattern(1, 512 * KIB));
    }

    /** A timer keeps the session it belongs to, and all its requests, in memory. */
    @Test
    void aSessionThatIsOverLeavesNoTimer() {
        try (Conversation conversation =
                Conversation.inTransmission(
                        device, NbdLimits.DEFAULTS, new SharedMemory(1L << 30))) {
            conversation.channel.freezeTime();
            conversation.send(halfOfAWrite(1));
            assertThat(conversation.channel.runScheduledPendingTasks()).isPositive();
            var _ = conversation.channel.close();
            assertThat(conversation.channel.runScheduledPendingTasks()).isEqualTo(-1);
        }
    }

    @Test
    void aWriteThatStopsHalfWayIsCutOffAtItsDeadlineAndItsMemoryComesBack() {
        SharedMemory memory = new SharedMemory(1L << 30);
        try (Conversation conversation =
                Conversation.inTransmission(device, NbdLimits.DEFAULTS, memory)) {
            conversation.channel.freezeTime();
            conversation.send(writes(1, 512), halfOfAWrite(1));
            assertThat(memory.usedBytes()).isPositive();
            conversation.advanceMs(119_000);
            assertThat(conversation.isOpen()).isTrue();
            conversation.advanceMs(2_000);
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.payloadTimeouts()).isOne();
            assertThat(memory.usedBytes()).isZero();
            assertThat(conversation.received()).isEqualTo(Wire.reply(0, 0));
        }
        assertThat(device.seen).hasSize(1);
    }

    @Test
    void anAliveClientIsNotCutOffHoweverManyWritesComeInParts() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.channel.freezeTime();
            for (int i = 0; i < 20; i++) {
                conversation.send(halfOfAWrite(i));
                conversation.advanceMs(90_000);
                conversation.send(new byte[512 * KIB]);
            }
            conversation.advanceMs(600_000);
            assertThat(conversation.received()).hasSize(20 * 16);
            assertThat(conversation.isOpen()).isTrue();
        }
    }

    /** Time in which the server itself does not read is not the client's. */
    @Test
    void whileTheServerDoesNotReadTheDeadlineStandsStill() {
        device.isHolding = true;
        try (Conversation conversation =
                Conversation.inTransmission(device, limits(2, 8 << 20, 1 << 20))) {
            conversation.channel.freezeTime();
            conversation.send(writes(1, 512), halfOfAWrite(1));
            device.ringSlots = 0;
            conversation.channel.pipeline().fireChannelWritabilityChanged();
            conversation.channel.config().setWriteBufferLowWaterMark(1);
            conversation.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
            conversation.channel.runPendingTasks();
            conversation.send(new byte[KIB]);
            assertThat(conversation.channel.config().isAutoRead()).isFalse();
            conversation.advanceMs(600_000);
            assertThat(conversation.isOpen()).isTrue();
            conversation.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
            conversation.channel.runPendingTasks();
            conversation.advanceMs(200_000);
            assertThat(conversation.isOpen()).isTrue();
            conversation.release();
            assertThat(conversation.isOpen()).isFalse();
        }
    }

    @Test
    void anIdleSessionAndAHandshakeAreDrainedAtOnce() {
        try (Conversation idle = Conversation.inTransmission(device);
                Conversation handshake = new Conversation(device)) {
            handshake.received();
            assertThat(idle.connections.drain()).isCompleted();
            assertThat(handshake.connections.drain()).isCompleted();
        }
    }

    @Test
    void aSessionThatFailsIsOverWhenTheDeviceHasGivenItsRequestsBack() {
        device.isHolding = true;
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(writes(2, 512));
            assertThat(device.held).hasSize(2);
            device.isBroken = true;
            conversation.send(writes(1, 512));
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.connections.count()).isOne();
            conversation.release();
            assertThat(conversation.connections.count()).isZero();
        }
    }
}
