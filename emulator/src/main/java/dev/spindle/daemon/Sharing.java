package dev.spindle.daemon;

import dev.spindle.config.ShmConfig;
import dev.spindle.queue.QueueSettings;
import dev.spindle.shm.ShmCounters;
import dev.spindle.shm.ShmDevice;
import dev.spindle.shm.ShmLimits;
import dev.spindle.shm.ShmServer;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory a daemon shares with programs, if it can: what stands in the way is kept as a reason
 * for people, and the daemon goes on without.
 */
final class Sharing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sharing.class);

    private final ShmCounters counters = new ShmCounters();
    private final List<ShmDevice> devices = new ArrayList<>();
    private final CloseStack opened = new CloseStack();
    private @Nullable SharedFolder folder;
    private @Nullable ShmServer server;
    private Optional<Path> socket = Optional.empty();
    private String whyNot = "";

    private Sharing() {}

    /** Of a daemon that has not got as far. */
    static Sharing none() {
        return new Sharing();
    }

    /** Before the loops are opened, so that it is closed after they have ended. */
    static Sharing prepare(ShmConfig config, boolean hasUnixSocket, long pid) {
        Sharing sharing = new Sharing();
        if (!config.enabled()) {
            sharing.whyNot = "server.shm.enabled = off";
        } else if (!hasUnixSocket) {
            sharing.whyNot = "server.unix.enabled = off";
        } else {
            try {
                sharing.folder = sharing.opened.add(SharedFolder.create(config.path(), pid));
            } catch (IOException e) {
                sharing.cannot(e);
            }
        }
        return sharing;
    }

    private void cannot(IOException e) {
        whyNot = String.valueOf(e.getMessage());
        LOG.warn("no shared memory for programs: {}", whyNot);
    }

    /** Listens for programs. What it opens, {@link #drain} and {@link #close} close. */
    void open(Path listenAt, ShmConfig config, List<LiveDevice> live, DeviceClock clock)
            throws IOException {
        if (folder == null) {
            return;
        }
        EventLoops attaching = EventLoops.open("attach", 1);
        opened.add(attaching);
        try {
            List<ShmDevice> all = new ArrayList<>();
            for (LiveDevice each : live) {
                all.add(openDevice(folder, each, clock));
            }
            devices.addAll(all);
            ShmLimits limits =
                    new ShmLimits(config.arenaBytes(), config.memoryBytes(), config.clients());
            server =
                    ShmServer.listen(
                            listenAt, folder.path(), all, limits, attaching.group(), counters);
            socket = Optional.of(listenAt);
        } catch (IOException e) {
            devices.clear();
            cannot(e);
        }
    }

    private ShmDevice openDevice(SharedFolder place, LiveDevice live, DeviceClock clock)
            throws IOException {
        return opened.add(
                ShmDevice.open(
                        place.path(),
                        live.device(),
                        LiveDevice.queueSettings(live.config()),
                        live.loop(),
                        clock,
                        counters));
    }

    /** Where programs attach, if they can. */
    Optional<Path> socket() {
        return socket;
    }

    /** Why they cannot; empty when they can. */
    String whyNot() {
        return whyNot;
    }

    /** On the device's loop: the tunables of the device of that number have changed. */
    void update(int number, QueueSettings settings) {
        if (number < devices.size()) {
            devices.get(number).apply(settings);
        }
    }

    /** For stat. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("attached", server == null ? 0 : server.attached());
        fields.put("arena_bytes", server == null ? 0 : server.arenaBytes());
        fields.put("processes_attached", counters.attached());
        fields.put("processes_detached", counters.detached());
        fields.put("processes_refused", counters.refused());
        fields.put("protocol_errors", counters.protocolErrors());
        fields.put("requests", counters.requests());
        fields.put("read_bytes", counters.readBytes());
        fields.put("written_bytes", counters.writtenBytes());
        fields.put("error_replies", counters.errors());
        fields.put("bells", counters.bells());
        fields.put("wakes", counters.wakes());
        fields.put("credits_returned", counters.creditsReturned());
        fields.put("pool_repairs", counters.poolRepairs());
        fields.put("growth_refused", counters.growthRefused());
        return fields;
    }

    /** Before the devices are flushed. */
    void drain(Duration deadline) throws IOException {
        if (server == null) {
            return;
        }
        try {
            Waiting.until(server.drain(), deadline.toSeconds());
        } catch (TimeoutException _) {
            LOG.warn("{} processes have not come to an end", server.attached());
        }
    }

    @Override
    public void close() throws IOException {
        opened.close();
    }
}
