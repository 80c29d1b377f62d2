package dev.spindle.trace;

import java.nio.ByteBuffer;

/** Where encoded records go. */
public interface RecordSink {
    /**
     * Takes what is between position and limit, one record, whole or not at all; must not block
     * where a device's loop calls. False when it was dropped.
     */
    boolean put(ByteBuffer record);
}
