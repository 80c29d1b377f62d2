package dev.spindle.trace;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.Sectors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes a trace to replay of a blktrace: its requests are the events of kind Q of one device. */
final class TraceLoader {
    private final Path file;
    private final List<RecordedRequest> requests = new ArrayList<>();
    private final Map<Integer, Integer> indexes = new HashMap<>();
    private final StageMatcher matcher = new StageMatcher(this::ended);
    private int asked;
    private long firstNs;

    private TraceLoader(Path file) {
        this.file = file;
    }

    static RecordedTrace load(Path file, Optional<TraceDevice> device) throws IOException {
        TraceDevice chosen = choose(file, device);
        TraceLoader loader = new TraceLoader(file);
        List<String> notes;
        try (BlkTraceReader reader = BlkTraceReader.open(file)) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                if (event.device().equals(chosen)) {
                    loader.take(event);
                }
            }
            notes = reader.truncations();
        }
        return new RecordedTrace(loader.requests, Optional.of(loader.matcher.times()), notes);
    }

    /** The only device that has requests, or the one asked for. */
    private static TraceDevice choose(Path file, Optional<TraceDevice> asked) throws IOException {
        TreeSet<String> seen = new TreeSet<>();
        try (BlkTraceReader reader = BlkTraceReader.open(file)) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                if (isRequest(event)) {
                    seen.add(event.device().toString());
                }
            }
        }
        if (seen.isEmpty()) {
            throw new IOException(file + ": holds no requests (no event of kind Q)");
        }
        if (asked.isEmpty() && seen.size() == 1) {
            return TraceDevice.parse(seen.first());
        }
        if (asked.isEmpty() || !seen.contains(asked.get().toString())) {
            throw new IOException(
                    file
                            + ": "
                            + asked.map(device -> "no requests of device " + device + "; ")
                                    .orElse("")
                            + "there are those of "
                            + String.join(" and ", seen)
                            + (asked.isEmpty() ? "; say which" : ""));
        }
        return asked.get();
    }

    private static boolean isRequest(@Nullable TraceEvent event) {
        return event != null
                && event.action().filter(TraceAction.QUEUE::equals).isPresent()
                && !event.isPassThrough()
                && (event.lengthBytes() > 0 || event.isFlush());
    }

    private void take(TraceEvent event) throws IOException {
        boolean isQueued = event.action().filter(TraceAction.QUEUE::equals).isPresent();
        if (isQueued && !isRequest(event)) {
            return;
        }
        if (isRequest(event)) {
            RecordedTrace.requireRoom(file, requests.size());
            request(event);
        }
        matcher.add(event);
    }

    private void request(TraceEvent event) {
        if (requests.isEmpty()) {
            firstNs = event.timeNs();
        }
        long timeNs = event.timeNs() - firstNs;
        if (event.isFlush() && event.lengthBytes() > 0) {
            requests.add(new RecordedRequest(timeNs, BlockOperation.FLUSH, 0, 0));
        }
        indexes.put(asked++, requests.size());
        requests.add(
                new RecordedRequest(
                        timeNs,
                        event.operation(),
                        event.lengthBytes() == 0 ? 0 : Sectors.toBytes(event.sector()),
                        event.lengthBytes(),
                        event.isFua(),
                        event.isReadAhead(),
                        RecordedRequest.UNKNOWN));
    }

    private void ended(int number, long atNs) {
        Integer index = indexes.remove(number);
        if (index != null) {
            requests.set(index, requests.get(index).endedAt(atNs - firstNs));
        }
    }
}
