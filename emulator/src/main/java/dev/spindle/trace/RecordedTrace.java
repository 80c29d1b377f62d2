package dev.spindle.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is to be replayed.
 *
 * @param requests in the order they were made
 * @param stages where their time was spent, as far as the trace says
 * @param notes what is to be known of the trace's state, a line each
 */
public record RecordedTrace(
        List<RecordedRequest> requests, Optional<StageTimes> stages, List<String> notes) {
    /** What is held in memory, some 60 bytes each. */
    public static final int MAX_REQUESTS = 20_000_000;

    public RecordedTrace {
        requests = List.copyOf(requests);
        notes = List.copyOf(notes);
    }

    /**
     * Reads a blktrace or an iolog, whichever it is; a failure's message is one line.
     *
     * @param device which, where a blktrace has several
     */
    public static RecordedTrace read(Path file, Optional<TraceDevice> device) throws IOException {
        if (BlkTraceReader.exists(file)) {
            return TraceLoader.load(file, device);
        }
        return IoLogReader.read(file);
    }

    static void requireRoom(Path file, int requests) throws IOException {
        if (requests >= MAX_REQUESTS) {
            throw new IOException(file + ": more than " + MAX_REQUESTS + " requests");
        }
    }
}
