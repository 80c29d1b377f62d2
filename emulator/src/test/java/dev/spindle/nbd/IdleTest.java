package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The bound on idleness, in the time of the loop. */
class IdleTest {
    private final MemoryDevice device = new MemoryDevice(1 << 20);

    private Conversation withIdleMs(int idleMs) {
        Conversation conversation =
                Conversation.inTransmission(device, NbdLimits.DEFAULTS.withIdleMs(idleMs));
        conversation.channel.freezeTime();
        return conversation;
    }

    @Test
    void aClientThatAsksNothingIsClosed() {
        try (Conversation conversation = withIdleMs(1000)) {
            conversation.advanceMs(900);
            assertThat(conversation.isOpen()).isTrue();
            conversation.advanceMs(1100);
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.idleTimeouts()).isOne();
            assertThat(conversation.counters.protocolErrors()).isZero();
        }
    }

    @Test
    void everyRequestBeginsAnew() {
        try (Conversation conversation = withIdleMs(1000)) {
            for (int i = 0; i < 10; i++) {
                conversation.advanceMs(700);
                conversation.send(Wire.request(Wire.FLUSH, 0, i, 0, 0));
                assertThat(conversation.received()).isEqualTo(Wire.reply(0, i));
            }
            assertThat(conversation.isOpen()).isTrue();
        }
    }

    @Test
    void aClientThatWaitsForASlowDriveIsNotIdle() {
        device.isHolding = true;
        try (Conversation conversation = withIdleMs(1000)) {
            conversation.send(Wire.request(Wire.READ, 0, 1, 0, 512));
            conversation.advanceMs(5000);
            assertThat(conversation.isOpen()).isTrue();
            conversation.release();
            assertThat(conversation.received()).startsWith(Wire.reply(0, 1));
            conversation.advanceMs(2100);
            assertThat(conversation.isOpen()).isFalse();
        }
    }

    @Test
    void aWriteThatNeverEndsIsIdleToo() {
        try (Conversation conversation = withIdleMs(1000)) {
            conversation.send(java.util.Arrays.copyOf(Wire.write(1, 0, new byte[100_352]), 5000));
            conversation.advanceMs(2100);
            assertThat(conversation.isOpen()).isFalse();
        }
    }

    @Test
    void withoutABoundNobodyIsIdle() {
        try (Conversation conversation = withIdleMs(0)) {
            conversation.advanceMs(100_000_000);
            assertThat(conversation.isOpen()).isTrue();
        }
    }
}
