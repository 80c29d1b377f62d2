package dev.spindle.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    private static final long TIB = 1L << 40;

    private static ByteBuffer filled(int length, int value) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            buffer.put(i, (byte) value);
        }
        return buffer;
    }

    @Test
    void eightTebibytesCostNothingUntilWritten() throws IOException {
        try (var store = new MemoryStore(8 * TIB)) {
            assertThat(store.allocatedBytes()).isZero();
            store.write(8 * TIB - 4096, filled(4096, 7), 0, 4096);
            assertThat(store.allocatedBytes()).isEqualTo(4096);
            ByteBuffer back = ByteBuffer.allocate(8192);
            store.read(8 * TIB - 8192, back, 0, 8192);
            assertThat(back.get(4095)).isZero();
            assertThat(back.get(4096)).isEqualTo((byte) 7);
        }
    }

    @Test
    void whatWasNeverWrittenReadsAsZeroesAcrossRegions() throws IOException {
        try (var store = new MemoryStore(TIB)) {
            ByteBuffer back = filled(4 << 20, 9);
            store.read(MemoryStore.REGION_BYTES - (2 << 20), back, 0, 4 << 20);
            assertThat(back).isEqualTo(ByteBuffer.allocate(4 << 20));
            assertThat(store.allocatedBytes()).isZero();
        }
    }

    @Test
    void aWriteAcrossTheEdgeOfARegionIsWhole() throws IOException {
        try (var store = new MemoryStore(TIB)) {
            long offset = MemoryStore.REGION_BYTES - 3;
            store.write(offset, filled(10, 5), 2, 6);
            ByteBuffer back = ByteBuffer.allocate(8);
            store.read(offset - 1, back, 0, 8);
            assertThat(back.array()).containsExactly(0, 5, 5, 5, 5, 5, 5, 0);
        }
    }

    @Test
    void discardGivesWholePagesBackAndZeroesTheEdges() throws IOException {
        try (var store = new MemoryStore(1 << 20)) {
            store.write(0, filled(1 << 16, 3), 0, 1 << 16);
            store.discard(100, (1 << 16) - 200);
            assertThat(store.allocatedBytes()).isEqualTo(2 * 4096);
            ByteBuffer back = ByteBuffer.allocate(1 << 16);
            store.read(0, back, 0, 1 << 16);
            for (int i = 0; i < 1 << 16; i++) {
                assertThat(back.get(i)).isEqualTo((byte) (i < 100 || i >= (1 << 16) - 100 ? 3 : 0));
            }
        }
    }

    @Test
    void aDiscardWithinOnePageZeroesOnlyThat() throws IOException {
        try (var store = new MemoryStore(1 << 20)) {
            store.write(0, filled(4096, 3), 0, 4096);
            store.discard(10, 5);
            ByteBuffer back = ByteBuffer.allocate(20);
            store.read(0, back, 0, 20);
            assertThat(back.array())
                    .containsExactly(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3);
        }
    }

    @Test
    void zeroKeepsTheSpace() throws IOException {
        try (var store = new MemoryStore(1 << 20)) {
            store.zero(0, 8192);
            assertThat(store.allocatedBytes()).isEqualTo(8192);
        }
    }

    @Test
    void lendsItsMemoryForReading() throws IOException {
        try (var store = new MemoryStore(TIB)) {
            store.write(MemoryStore.REGION_BYTES - 4, filled(4, 6), 0, 4);
            long offset = MemoryStore.REGION_BYTES - 4;
            assertThat(store.contiguousBytes(offset, 100)).isEqualTo(4);
            assertThat(store.regionAt(offset).get(store.indexInRegion(offset))).isEqualTo((byte) 6);
            long hole = 5L * MemoryStore.REGION_BYTES;
            assertThat(store.contiguousBytes(hole, 100)).isEqualTo(100);
            assertThat(store.regionAt(hole).get(store.indexInRegion(hole))).isZero();
        }
    }

    @Test
    void refusesACapacityOfNothing() {
        assertThatThrownBy(() -> new MemoryStore(0)).hasMessageContaining("capacity=0");
    }
}
