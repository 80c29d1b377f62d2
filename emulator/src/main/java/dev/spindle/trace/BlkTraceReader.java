package dev.spindle.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a blktrace, of one file or of one for each processor, and gives its events in the order of
 * their times. Notifications are passed over. What is held in memory is a buffer for each file.
 */
public final class BlkTraceReader implements AutoCloseable {
    /** As many as processors that Linux allows for. */
    private static final int MAX_FILES = 8192;

    private final List<RecordFile> files = new ArrayList<>();
    private final PriorityQueue<Source> sources = new PriorityQueue<>();

    private record Source(RecordFile file, TraceEvent head, int number)
            implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            int byTime = Long.compareUnsigned(head.timeNs(), other.head.timeNs());
            return byTime != 0 ? byTime : Integer.compare(number, other.number);
        }
    }

    private BlkTraceReader() {}

    /**
     * {@code name} is a file, or what {@code blkparse -i} takes: NAME of NAME.blktrace.0, .1 ...
     */
    public static BlkTraceReader open(Path name) throws IOException {
        BlkTraceReader reader = new BlkTraceReader();
        try {
            for (Path path : paths(name)) {
                RecordFile file = RecordFile.open(path);
                reader.files.add(file);
                reader.enqueue(file, reader.files.size());
            }
            return reader;
        } catch (IOException e) {
            reader.close();
            throw e;
        }
    }

    /** True where there is such a trace. */
    public static boolean exists(Path name) throws IOException {
        if (Files.isRegularFile(name)) {
            return RecordFile.isOne(name);
        }
        return !perProcessor(name).isEmpty();
    }

    private static List<Path> paths(Path name) throws IOException {
        if (Files.isRegularFile(name)) {
            return List.of(name);
        }
        List<Path> paths = perProcessor(name);
        if (paths.isEmpty()) {
            throw new IOException(
                    "cannot read "
                            + name
                            + ": there is no such file, and no "
                            + name
                            + TraceFile.SUFFIX);
        }
        return paths;
    }

    private static List<Path> perProcessor(Path name) {
        List<Path> paths = new ArrayList<>();
        for (int cpu = 0; cpu < MAX_FILES; cpu++) {
            Path path = Path.of(name + ".blktrace." + cpu);
            if (Files.exists(path)) {
                paths.add(path);
            }
        }
        return paths;
    }

    private void enqueue(RecordFile file, int number) {
        TraceEvent head = file.head();
        if (head != null) {
            sources.add(new Source(file, head, number));
        }
    }

    /** The next event that is none of a process's name or the time of day; null at the end. */
    public @Nullable TraceEvent next() throws IOException {
        Source first = sources.poll();
        while (first != null) {
            TraceEvent event = first.file.take();
            enqueue(first.file, first.number);
            if (!event.isNotification()) {
                return event;
            }
            first = sources.poll();
        }
        return null;
    }

    /** Files that end in the middle of a record, a line each; complete at the end. */
    public List<String> truncations() {
        return files.stream().map(RecordFile::truncation).flatMap(Optional::stream).toList();
    }

    @Override
    public void close() throws IOException {
        for (RecordFile file : files) {
            file.close();
        }
    }
}
