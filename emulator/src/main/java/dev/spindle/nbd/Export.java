package dev.spindle.nbd;

import dev.spindle.queue.BlockDevice;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;

/**
 * A device under the name clients ask for.
 *
 * @param loop owns the device; every session of this export runs on it
 */
public record Export(String name, String description, BlockDevice device, EventLoop loop) {
    /** The longest string the protocol allows (proto.md, Conventions). */
    public static final int MAX_STRING_BYTES = 4096;

    public Export {
        requireShort("export name", name);
        requireShort("export description", description);
    }

    private static void requireShort(String what, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_STRING_BYTES) {
            throw new IllegalArgumentException(
                    what + " of " + bytes + " bytes is longer than " + MAX_STRING_BYTES);
        }
    }
}
