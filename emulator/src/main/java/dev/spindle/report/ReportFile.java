package dev.spindle.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file in which the processes of one run count what they do ({@link ReportLayout}). It is
 * written in full when it is made: a page that a full file system cannot give later would be SIGBUS
 * for the program. What a process writes there is read as numbers and nothing else.
 */
public final class ReportFile implements AutoCloseable {
    private final Path path;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer fields;
    private boolean isClosed;

    private ReportFile(Path path, MappedByteBuffer mapped) {
        this.path = path;
        this.mapped = mapped;
        fields = new UnsafeBuffer(mapped);
    }

    /** Makes the file, which must not be there. */
    public static ReportFile create(Path path) throws IOException {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new IOException("report files need a little-endian machine");
        }
        var oursAlone =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(path, options, oursAlone)) {
            ByteBuffer zeroes = ByteBuffer.allocate(ReportLayout.FILE_BYTES);
            while (zeroes.hasRemaining()) {
                channel.write(zeroes);
            }
            ReportFile file =
                    new ReportFile(
                            path,
                            channel.map(
                                    FileChannel.MapMode.READ_WRITE, 0, ReportLayout.FILE_BYTES));
            file.writeHeader();
            return file;
        } catch (IOException e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    private void writeHeader() {
        fields.putInt(ReportLayout.VERSION_OFFSET, ReportLayout.VERSION);
        fields.putInt(ReportLayout.RECORDS_OFFSET, ReportLayout.RECORDS);
        fields.putInt(ReportLayout.TIMELINES_OFFSET, ReportLayout.TIMELINES);
        fields.putLongRelease(0, ReportLayout.MAGIC);
    }

    public Path path() {
        return path;
    }

    /** From the first request or call of the run to the end of the last request. */
    public double activeS() {
        long began = fields.getLongVolatile(ReportLayout.BEGAN_OFFSET);
        long last = fields.getLongVolatile(ReportLayout.LAST_OFFSET);
        return last > began ? (last - began) / 1e9 : 0;
    }

    /** Of each process that made any of the calls. */
    public List<ProcessCalls> calls() {
        List<ProcessCalls> found = new ArrayList<>();
        for (int at : records(ReportLayout.KIND_PROCESS)) {
            List<Calls> calls = new ArrayList<>();
            for (int i = 0; i < CallKind.values().length; i++) {
                int from = at + ReportLayout.CALLS_OFFSET + i * ReportLayout.CALL_BYTES;
                calls.add(
                        new Calls(
                                number(from),
                                number(from + 8),
                                number(from + 16),
                                number(from + 24),
                                number(from + 32)));
            }
            found.add(new ProcessCalls(pid(at), name(at + ReportLayout.PROGRAM_OFFSET), calls));
        }
        return found;
    }

    /** Of each process, for each device it used, in the order in which they came. */
    public List<DeviceUse> uses() {
        List<DeviceUse> found = new ArrayList<>();
        for (int at : records(ReportLayout.KIND_DEVICE)) {
            found.add(use(at));
        }
        return found;
    }

    private List<Integer> records(int kind) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < ReportLayout.RECORDS; i++) {
            int at = ReportLayout.HEADER_BYTES + i * ReportLayout.RECORD_BYTES;
            if (fields.getIntVolatile(at) == kind) {
                found.add(at);
            }
        }
        return found;
    }

    private DeviceUse use(int at) {
        List<PoolWaits> pool = new ArrayList<>();
        List<Requests> requests = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int from = at + ReportLayout.POOL_OFFSET + i * ReportLayout.POOL_BYTES;
            pool.add(new PoolWaits(number(from), number(from + 8), number(from + 16)));
        }
        for (int i = 0; i < Operation.values().length; i++) {
            requests.add(requests(at, i));
        }
        return new DeviceUse(
                pid(at),
                name(at + ReportLayout.PROGRAM_OFFSET),
                name(at + ReportLayout.DEVICE_OFFSET),
                fields.getInt(at + ReportLayout.MAX_DEPTH_OFFSET),
                pool,
                numbers(at + ReportLayout.CONGESTED_OFFSET, 2),
                numbers(at + ReportLayout.DEPTHS_OFFSET, ReportLayout.DEPTHS),
                requests);
    }

    private Requests requests(int at, int operation) {
        int from = at + ReportLayout.REQUESTS_OFFSET + operation * ReportLayout.REQUEST_BYTES;
        int first = at + ReportLayout.LATENCY_OFFSET + operation * Latencies.BUCKETS * Long.BYTES;
        long[] counts = new long[Latencies.BUCKETS];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = number(first + i * Long.BYTES);
        }
        return new Requests(
                number(from),
                number(from + 8),
                number(from + 16),
                number(from + 24),
                number(from + 32),
                number(from + 40),
                number(from + 48),
                new Latencies(counts, number(from + 56)));
    }

    /** Of the devices that came first; the finest level that covers the run. */
    public List<Timeline> timelines() {
        List<Timeline> found = new ArrayList<>();
        int level = 0;
        while (level < ReportLayout.SPAN_NS.length - 1
                && activeS() * 1e9 >= (double) ReportLayout.SPAN_NS[level] * ReportLayout.SPANS) {
            level++;
        }
        for (int i = 0; i < ReportLayout.TIMELINES; i++) {
            int at =
                    ReportLayout.HEADER_BYTES
                            + ReportLayout.RECORDS * ReportLayout.RECORD_BYTES
                            + i * ReportLayout.TIMELINE_BYTES;
            if (fields.getIntVolatile(at) != 0) {
                found.add(timeline(at, level));
            }
        }
        return found;
    }

    private Timeline timeline(int at, int level) {
        int first =
                at
                        + ReportLayout.SPANS_OFFSET
                        + level * ReportLayout.SPANS * ReportLayout.SPAN_BYTES;
        double spanS = ReportLayout.SPAN_NS[level] / 1e9;
        int used = Math.min(ReportLayout.SPANS, (int) (activeS() / spanS) + 1);
        List<Long> depth = new ArrayList<>();
        List<Long> read = new ArrayList<>();
        List<Long> written = new ArrayList<>();
        long inFlight = 0;
        for (int i = 0; i < used; i++) {
            int span = first + i * ReportLayout.SPAN_BYTES;
            inFlight += fields.getInt(span) - fields.getInt(span + 4);
            depth.add(inFlight);
            read.add(number(span + 8));
            written.add(number(span + 16));
        }
        return new Timeline(
                name(at + ReportLayout.LINE_DEVICE_OFFSET), spanS, depth, read, written);
    }

    private int pid(int at) {
        return fields.getInt(at + ReportLayout.PID_OFFSET);
    }

    private long number(int at) {
        return fields.getLongVolatile(at);
    }

    private List<Long> numbers(int at, int count) {
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            found.add(number(at + i * Long.BYTES));
        }
        return found;
    }

    private String name(int at) {
        int length = 0;
        while (length < ReportLayout.NAME_BYTES && fields.getByte(at + length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        fields.getBytes(at, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Unmaps and removes it. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            fields.wrap(new byte[0]);
            IoUtil.unmap(mapped);
            Files.deleteIfExists(path);
        }
    }
}
