package dev.spindle.daemon;

import dev.spindle.block.BlockStatus;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.LimitsConfig;
import dev.spindle.config.ServerConfig;
import dev.spindle.config.SpindleConfig;
import dev.spindle.control.ControlDesk;
import dev.spindle.control.ControlServer;
import dev.spindle.control.ControlledDevice;
import dev.spindle.nbd.Export;
import dev.spindle.nbd.Exports;
import dev.spindle.nbd.NbdCounters;
import dev.spindle.nbd.NbdLimits;
import dev.spindle.nbd.NbdServer;
import dev.spindle.shm.QueueFile;
import dev.spindle.shm.ShimMap;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything a Spindle daemon consists of, built, started and taken down in one place by the
 * control thread.
 *
 * <pre>
 *   up     runtime folder - stores - queue files - loops - devices - NBD sockets - shim.map - control socket
 *   down   the same backwards: no more control, NBD drained, devices flushed, loops ended, stores closed
 * </pre>
 *
 * <p>Whatever can be wrong is found before the first socket opens. A failure on the way up takes
 * down what is up already. Stores are closed only when the loops have ended, because replies to
 * READ are sent from the memory of the store.
 */
public final class Daemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final long FLUSH_SECONDS = 60;

    private final SpindleConfig config;
    private final DaemonOptions options;
    private final long startedNs;
    private final CloseStack opened = new CloseStack();
    private final NbdCounters nbdCounters = new NbdCounters();
    private final List<LiveDevice> devices = new ArrayList<>();
    private final List<QueueFile> queueFiles = new ArrayList<>();
    private final List<ServedDevice> served = new ArrayList<>();

    private Daemon(SpindleConfig config, DaemonOptions options) {
        this.config = config;
        this.options = options;
        startedNs = options.clock().nowNs();
    }

    /** Returns when all sockets listen; a failure's message is one line for the user. */
    public static Daemon start(SpindleConfig config, DaemonOptions options) throws IOException {
        Daemon daemon = new Daemon(config, options);
        try {
            daemon.open();
        } catch (IOException | RuntimeException e) {
            daemon.opened.closeAfter(e);
            throw e;
        }
        return daemon;
    }

    private void open() throws IOException {
        RuntimeFolder folder =
                opened.add(RuntimeFolder.create(options.root(), pid(), options.isPrivate()));
        Optional<Path> unixSocket = unixSocket(folder);
        NbdLimits limits = limits(config.server().limits());
        openDevices(folder);
        opened.add(this::flush);
        NbdServer nbd = openNbd(limits);
        Addresses addresses = listen(nbd, unixSocket);
        describe(addresses);
        shimMap(unixSocket).write(folder.shimMap());
        openControl(folder, nbd, addresses);
        LOG.info("ready: pid {}, {} devices, {}", pid(), devices.size(), folder.path());
    }

    private Optional<Path> unixSocket(RuntimeFolder folder) throws IOException {
        if (!config.server().unix().enabled()) {
            return Optional.empty();
        }
        Path path = config.server().unix().path().orElseGet(folder::nbdSocket);
        RuntimeFolder.requireSocketPath(path);
        return Optional.of(path);
    }

    private void openDevices(RuntimeFolder folder) throws IOException {
        List<OpenStore> stores = new ArrayList<>();
        for (DeviceConfig device : config.devices()) {
            stores.add(opened.add(OpenStore.open(device)));
        }
        for (DeviceConfig device : config.devices()) {
            Path path = folder.queueFile(device.name());
            QueueFile file =
                    opened.add(
                            QueueFile.create(
                                    path,
                                    LiveDevice.identity(device),
                                    LiveDevice.queueSettings(device),
                                    pid()));
            file.timeScale(LiveDevice.timeScale(device).thousandths());
            queueFiles.add(file);
        }
        int threads = Math.min(stores.size(), Runtime.getRuntime().availableProcessors());
        EventLoops loops = opened.add(EventLoops.open("loop", threads));
        for (int i = 0; i < stores.size(); i++) {
            LiveDevice live =
                    LiveDevice.open(
                            config.devices().get(i), stores.get(i), loops.next(), options.clock());
            live.watchDisc(queueFiles.get(i));
            devices.add(live);
        }
    }

    private NbdServer openNbd(NbdLimits limits) {
        List<Export> exports = new ArrayList<>();
        for (LiveDevice live : devices) {
            exports.add(
                    new Export(
                            live.device().name(),
                            live.device().description(),
                            live.device(),
                            live.loop()));
        }
        NbdServer nbd =
                new NbdServer(
                        Exports.of(exports),
                        limits,
                        devices.getFirst().loop().parent(),
                        nbdCounters);
        opened.add(() -> drain(nbd));
        return nbd;
    }

    private Addresses listen(NbdServer nbd, Optional<Path> unixSocket) throws IOException {
        ServerConfig server = config.server();
        if (unixSocket.isPresent()) {
            nbd.listenUnix(unixSocket.get(), permissions(server.unix().modeBits()));
        }
        if (!server.tcp().enabled()) {
            return new Addresses(Optional.empty(), unixSocket);
        }
        InetSocketAddress wanted = new InetSocketAddress(server.tcp().host(), server.tcp().port());
        if (wanted.isUnresolved()) {
            throw new IOException("cannot listen on " + server.tcp().host() + ": unknown host");
        }
        return new Addresses(Optional.of((InetSocketAddress) nbd.listenTcp(wanted)), unixSocket);
    }

    private void describe(Addresses addresses) {
        for (int i = 0; i < devices.size(); i++) {
            LiveDevice live = devices.get(i);
            String name = live.device().name();
            served.add(
                    new ServedDevice(
                            name,
                            live.device().description(),
                            live.config().path(),
                            addresses.uris(name),
                            addresses.attachCommand(
                                    name, i, live.device().limits().logicalBlockBytes())));
        }
    }

    /** Without lines where there is no unix socket, which the shim needs. */
    private ShimMap shimMap(Optional<Path> unixSocket) {
        List<ShimMap.Line> lines = new ArrayList<>();
        for (int i = 0; i < devices.size() && unixSocket.isPresent(); i++) {
            DeviceConfig device = devices.get(i).config();
            Path queueFile = queueFiles.get(i).path();
            lines.add(new ShimMap.Line(device.name(), device.path(), unixSocket.get(), queueFile));
        }
        return new ShimMap(lines);
    }

    private void openControl(RuntimeFolder folder, NbdServer nbd, Addresses addresses)
            throws IOException {
        List<ControlledDevice> controlled = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            LiveDevice live = devices.get(i);
            controlled.add(
                    new ControlledDevice(
                            live.config(),
                            live.device(),
                            live.burner(),
                            addresses.uris(live.device().name()),
                            queueFiles.get(i)::update,
                            queueFiles.get(i)::timeScale,
                            () -> live.store().allocatedBytes(live.device().loop())));
        }
        EventLoops loop = opened.add(EventLoops.open("control", 1));
        ControlDesk desk = new ControlDesk(controlled, () -> serverFields(nbd));
        opened.add(ControlServer.listen(folder.controlSocket(), desk, loop.group()));
    }

    private Map<String, Object> serverFields(NbdServer nbd) {
        long uptimeNs = options.clock().nowNs() - startedNs;
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("pid", pid());
        fields.put("version", Version.text());
        fields.put("private", options.isPrivate());
        fields.put("uptime_s", uptimeNs / 1e9);
        fields.put("connections", nbd.connections());
        fields.put("nbd", NbdFields.of(nbdCounters));
        return fields;
    }

    private static NbdLimits limits(LimitsConfig config) {
        NbdLimits defaults = NbdLimits.DEFAULTS;
        return new NbdLimits(
                Math.toIntExact(config.handshakeDeadlineNs() / 1_000_000),
                config.connections(),
                config.maxOptions(),
                defaults.maxOptionBytes(),
                config.maxRequestBytes(),
                defaults.maxSkipBytes(),
                config.requestsInFlight(),
                Math.toIntExact(config.bytesInFlight()),
                config.memoryBytes(),
                defaults.writeHighWaterBytes());
    }

    private static Set<PosixFilePermission> permissions(int modeBits) {
        StringBuilder text = new StringBuilder("rwxrwxrwx");
        for (int i = 0; i < text.length(); i++) {
            if ((modeBits & (0400 >> i)) == 0) {
                text.setCharAt(i, '-');
            }
        }
        return PosixFilePermissions.fromString(text.toString());
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    public LiveDaemon asOthersSeeIt() {
        return new LiveDaemon(pid(), options.root().path().resolve(Long.toString(pid())));
    }

    /** In the order of their names. */
    public List<ServedDevice> devices() {
        return List.copyOf(served);
    }

    private static void drain(NbdServer nbd) throws IOException {
        try {
            await(nbd.drain(DRAIN), 2 * DRAIN.toSeconds());
        } catch (TimeoutException _) {
            LOG.warn("{} NBD connections have not come to an end", nbd.connections());
            nbd.close();
        }
    }

    private void flush() throws IOException {
        Map<LiveDevice, CompletableFuture<BlockStatus>> flushes = new LinkedHashMap<>();
        for (LiveDevice live : devices) {
            if (!live.device().isReadOnly()) {
                flushes.put(live, live.flush());
            }
        }
        for (Map.Entry<LiveDevice, CompletableFuture<BlockStatus>> each : flushes.entrySet()) {
            String name = each.getKey().device().name();
            try {
                BlockStatus status = await(each.getValue(), FLUSH_SECONDS);
                if (status != BlockStatus.OK) {
                    throw new IOException("device " + name + ": the last FLUSH ended " + status);
                }
            } catch (TimeoutException e) {
                throw new IOException(
                        "device " + name + ": no end of FLUSH after " + FLUSH_SECONDS + " s", e);
            }
        }
    }

    private static <T> T await(CompletableFuture<T> future, long seconds)
            throws IOException, TimeoutException {
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while stopping", e);
        }
    }

    /** Orderly stop; takes a while if clients or a slow drive do. */
    @Override
    public void close() throws IOException {
        LOG.info("stopping");
        opened.close();
        LOG.info("stopped");
    }
}
