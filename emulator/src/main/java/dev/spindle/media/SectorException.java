package dev.spindle.media;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A place of a store that cannot be read or written; everything before it could. */
public final class SectorException extends IOException {
    private static final long serialVersionUID = 1;

    private final long offsetBytes;

    public SectorException(long offsetBytes, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.offsetBytes = offsetBytes;
    }

    /** The first byte that could not be reached. */
    public long offsetBytes() {
        return offsetBytes;
    }
}
