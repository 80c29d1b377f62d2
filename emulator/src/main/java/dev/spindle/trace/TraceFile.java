package dev.spindle.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file {@code NAME.blktrace.0} that {@code blkparse -i NAME} looks for: one processor's, for
 * one loop. What is put here is written when enough has come together, by the thread that puts it:
 * for virtual time, or a thread that may wait.
 */
public final class TraceFile implements RecordSink, AutoCloseable {
    /** What blkparse expects the first processor's file to be called. */
    static final String SUFFIX = ".blktrace.0";

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer gathered = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long records;

    private TraceFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Creates it, or empties it; {@code name} with or without what blkparse adds to it. */
    public static TraceFile create(Path name) throws IOException {
        Path path = pathOf(name);
        try {
            return new TraceFile(
                    path,
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new IOException("cannot write the trace " + path + ": " + reason(e), e);
        }
    }

    static Path pathOf(Path name) {
        String text = name.toString();
        return text.endsWith(SUFFIX) ? name : Path.of(text + SUFFIX);
    }

    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "no such file or folder";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }

    public Path path() {
        return path;
    }

    /** Put so far. */
    public long records() {
        return records;
    }

    /** In virtual time: whatever goes through that queue is written here. */
    public BlkTraceEncoder encoder(TraceDevice device) {
        return encoder(device, new TraceClock());
    }

    /** The same for the second and later devices of one file. */
    public BlkTraceEncoder encoder(TraceDevice device, TraceClock clock) {
        return new BlkTraceEncoder(device, this, clock);
    }

    @Override
    public boolean put(ByteBuffer record) {
        try {
            if (gathered.remaining() < record.remaining()) {
                write();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + path + ": " + reason(e), e);
        }
        gathered.put(record);
        records++;
        return true;
    }

    /** Writes all that has been put. */
    void write() throws IOException {
        gathered.flip();
        try {
            while (gathered.hasRemaining()) {
                channel.write(gathered);
            }
        } finally {
            gathered.compact();
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            write();
        } catch (IOException e) {
            throw new IOException("cannot write the trace " + path + ": " + reason(e), e);
        }
    }
}
