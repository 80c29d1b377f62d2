package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets how much of what all sessions have together, and who is told when there is more. */
class SharedMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int RESERVE = MemoryClaim.RESERVE_BYTES;
    private static final NbdLimits LIMITS = NbdLimits.DEFAULTS;

    private final SharedMemory memory = new SharedMemory(1024);
    private final List<String> told = new ArrayList<>();

    private MemoryClaim claim(String name) {
        return new MemoryClaim(memory, () -> told.add(name));
    }

    private static int beyond(int bytes) {
        return RESERVE + bytes;
    }

    @Test
    void oneAloneGetsHalf() {
        MemoryClaim claim = claim("a");
        assertThat(claim.reaches(beyond(513))).isFalse();
        assertThat(claim.reaches(beyond(512))).isTrue();
        assertThat(memory.usedBytes()).isEqualTo(512);
    }

    @Test
    void howeverManyHoldWhatTheyCanThereIsSomeForTheNext() {
        for (int i = 0; i < 9; i++) {
            int size = 1024;
            MemoryClaim hog = claim("hog");
            while (!hog.reaches(beyond(size))) {
                size--;
            }
        }
        assertThat(memory.usedBytes()).isLessThan(1024);
        assertThat(claim("polite").reaches(beyond(1))).isTrue();
    }

    @Test
    void theReserveIsNotCounted() {
        for (int i = 0; i < 100; i++) {
            assertThat(claim("a").reaches(RESERVE)).isTrue();
        }
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void whoeverWaitsIsToldOnceWhenSomeIsGivenBack() {
        MemoryClaim first = claim("first");
        MemoryClaim second = claim("second");
        assertThat(first.reaches(beyond(400))).isTrue();
        assertThat(second.reaches(beyond(400))).isFalse();
        assertThat(second.reaches(beyond(400))).isFalse();
        assertThat(told).isEmpty();
        first.shrinkTo(beyond(100));
        assertThat(told).containsExactly("second");
        second.woken();
        assertThat(second.reaches(beyond(400))).isTrue();
        first.shrinkTo(0);
        assertThat(told).containsExactly("second");
    }

    @Test
    void whoeverIsOverIsToldNothingAndLeavesNothing() {
        MemoryClaim first = claim("first");
        MemoryClaim second = claim("second");
        assertThat(first.reaches(beyond(400))).isTrue();
        assertThat(second.reaches(beyond(400))).isFalse();
        second.end();
        first.end();
        assertThat(told).isEmpty();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void aSessionWaitsForMemoryThatAnotherHasAndShortRequestsDoNot() {
        SharedMemory shared = new SharedMemory(4 * MIB);
        MemoryDevice slow = new MemoryDevice(8 * MIB);
        slow.isHolding = true;
        try (Conversation first = Conversation.inTransmission(slow, LIMITS, shared);
                Conversation second =
                        Conversation.inTransmission(new MemoryDevice(8 * MIB), LIMITS, shared)) {
            first.send(Wire.request(Wire.READ, 0, 1, 0, 2 * MIB));
            second.send(Wire.request(Wire.READ, 0, 2, 0, 64 << 10));
            assertThat(second.received()).hasSize(16 + (64 << 10));
            second.send(Wire.request(Wire.READ, 0, 3, 0, 2 * MIB));
            assertThat(second.received()).isEmpty();
            first.release();
            assertThat(first.received()).hasSize(16 + 2 * MIB);
            second.advanceMs(0);
            assertThat(second.received()).hasSize(16 + 2 * MIB);
        }
        assertThat(shared.usedBytes()).isZero();
    }

    @Test
    void aWriteCutShortGivesItsMemoryBack() {
        SharedMemory shared = new SharedMemory(4 * MIB);
        MemoryDevice device = new MemoryDevice(8 * MIB);
        try (Conversation half = Conversation.inTransmission(device, LIMITS, shared)) {
            byte[] write = Wire.write(1, 0, Wire.pattern(1, 2 * MIB));
            half.send(java.util.Arrays.copyOf(write, 1000));
            assertThat(shared.usedBytes()).isPositive();
        }
        assertThat(shared.usedBytes()).isZero();
    }
}
