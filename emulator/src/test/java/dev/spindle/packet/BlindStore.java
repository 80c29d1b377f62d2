package dev.spindle.packet;

import dev.spindle.media.BackingStore;
import dev.spindle.media.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads nothing, until it is told to see. */
final class BlindStore extends ForwardingStore {
    private boolean sees;

    BlindStore(BackingStore store) {
        super(store);
    }

    void see() {
        sees = true;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes)
            throws IOException {
        if (sees) {
            super.read(offsetBytes, target, index, lengthBytes);
        }
    }
}
