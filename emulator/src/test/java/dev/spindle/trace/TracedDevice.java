package dev.spindle.trace;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.VoidStore;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.Submitter;
import dev.spindle.queue.VirtualDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A disk in virtual time whose steps go into a file, and what comes of reading that. */
final class TracedDevice {
    static final long CAPACITY = 64 << 20;
    private static final ByteBuffer DATA = ByteBuffer.allocate(1 << 20);

    final VirtualDevice device;
    final Submitter submitter = new Submitter("testaio", () -> {});
    final List<BlockRequest> made = new ArrayList<>();

    TracedDevice(QueueSettings settings) {
        this(settings, DataMover.inline(new VoidStore(CAPACITY)));
    }

    TracedDevice(QueueSettings settings, DataMover mover) {
        this(settings, new IdeDisk(Disks.simple(), CAPACITY, mover));
    }

    private TracedDevice(QueueSettings settings, Drive drive) {
        device = new VirtualDevice(settings, drive);
    }

    BlockRequest submit(BlockOperation operation, long offsetBytes, long lengthBytes) {
        BlockRequest request =
                device.request(operation, offsetBytes, lengthBytes).withData(DATA, 0);
        submit(request);
        return request;
    }

    void submit(BlockRequest request) {
        made.add(request);
        device.submit(request, submitter);
    }

    /** Traces what the requests do, to the end, and gives the file's events. */
    List<TraceEvent> trace(Path name, Runnable requests) throws IOException {
        try (TraceFile file = TraceFile.create(name)) {
            device.queue().listen(file.encoder(TraceDevice.nbd(0)));
            requests.run();
            device.drain();
        }
        return events(name);
    }

    static List<TraceEvent> events(Path name) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (BlkTraceReader reader = BlkTraceReader.open(name)) {
            for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
                events.add(event);
            }
        }
        return events;
    }

    static String letters(List<TraceEvent> events) {
        StringBuilder letters = new StringBuilder();
        events.forEach(event -> letters.append(event.letter()));
        return letters.toString();
    }
}
