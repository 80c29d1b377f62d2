package dev.spindle.block;

import java.nio.ByteBuffer;

/**
 * The memory of a device whose contents can be sent from where they lie, with no copy. Bytes seen
 * through it are those of the moment they are looked at. Valid until the device is closed.
 */
public interface DirectMemory {
    /**
     * The buffer that holds the byte at {@code offsetBytes}; never to be written to, nor its
     * position or limit moved.
     */
    ByteBuffer regionAt(long offsetBytes);

    /** Where in {@link #regionAt} that byte lies. */
    int indexInRegion(long offsetBytes);

    /**
     * How many bytes from there on lie in that same buffer, at most {@code lengthBytes}; at least
     * 1.
     */
    int contiguousBytes(long offsetBytes, int lengthBytes);

    /**
     * How many bytes from there on lie in a hole, so that they read as zeroes, at most {@code
     * lengthBytes}; 0 where there is data.
     */
    int holeBytes(long offsetBytes, int lengthBytes);

    /** How many bytes from there on lie in no hole, at most {@code lengthBytes}; 0 in a hole. */
    int dataBytes(long offsetBytes, int lengthBytes);
}
