package dev.spindle.daemon;

import dev.spindle.block.BlockStatus;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.LimitsConfig;
import dev.spindle.config.SpindleConfig;
import dev.spindle.config.TlsConfig;
import dev.spindle.config.TlsUse;
import dev.spindle.control.ControlDesk;
import dev.spindle.control.ControlServer;
import dev.spindle.control.ControlledDevice;
import dev.spindle.control.SysTree;
import dev.spindle.nbd.Export;
import dev.spindle.nbd.Exports;
import dev.spindle.nbd.HandedSocket;
import dev.spindle.nbd.NbdCounters;
import dev.spindle.nbd.NbdLimits;
import dev.spindle.nbd.NbdServer;
import dev.spindle.nbd.ServerTls;
import dev.spindle.nbd.TlsFiles;
import dev.spindle.nbd.TlsMode;
import dev.spindle.shm.QueueFile;
import dev.spindle.shm.ShimMap;
import dev.spindle.trace.TraceSwitch;
import dev.spindle.trace.Tracing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything a Spindle daemon consists of, built, started and taken down in one place by the
 * control thread.
 *
 * <pre>
 *   up     runtime folder - shared folder - stores - queue files - traces - loops - devices - shared memory
 *          - NBD sockets - shim.map - control socket
 *   down   the same backwards: no more control, NBD and programs drained, devices flushed, loops ended, stores closed
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
    private static final long TRACE_SECONDS = 10;

    private final SpindleConfig config;
    private final DaemonOptions options;
    private final long startedNs;
    private final CloseStack opened = new CloseStack();
    private final NbdCounters nbdCounters = new NbdCounters();
    private final List<LiveDevice> devices = new ArrayList<>();
    private final List<QueueFile> queueFiles = new ArrayList<>();
    private final List<TraceSwitch> traces = new ArrayList<>();
    private final List<ServedDevice> served = new ArrayList<>();
    private Sharing sharing = Sharing.none();
    private final CompletableFuture<Void> clientLeft = new CompletableFuture<>();

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
        Listeners listeners = new Listeners(config.server(), options);
        Optional<Path> unixSocket = listeners.unixSocket(folder);
        NbdLimits limits = limits(config.server().limits());
        sharing = opened.add(Sharing.prepare(config.server().shm(), unixSocket.isPresent(), pid()));
        Optional<ServerTls> tls = openTls();
        openDevices(folder);
        startTraces();
        opened.add(this::flush);
        sharing.open(folder.shmSocket(), config.server().shm(), devices, options.clock());
        opened.add(() -> sharing.drain(DRAIN));
        NbdServer nbd = openNbd(limits, tls);
        Addresses addresses = listeners.open(nbd, unixSocket);
        describe(addresses);
        shimMap(unixSocket).write(folder.shimMap());
        openControl(folder, nbd, addresses);
        options.connection().ifPresent(client -> serve(nbd, client));
        LOG.info("ready: pid {}, {} devices, {}", pid(), devices.size(), folder.path());
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
        Tracing tracing = opened.add(new Tracing(InstantSource.system()));
        int threads = Math.min(stores.size(), Runtime.getRuntime().availableProcessors());
        EventLoops loops = opened.add(EventLoops.open("loop", threads));
        for (int i = 0; i < stores.size(); i++) {
            LiveDevice live =
                    LiveDevice.open(
                            config.devices().get(i), stores.get(i), loops.next(), options.clock());
            live.watchDisc(queueFiles.get(i));
            if (!live.device().hasPool()) {
                queueFiles.get(i).withoutPool();
            }
            live.device().watchCongestion(queueFiles.get(i)::congested);
            devices.add(live);
            traces.add(tracing.of(live.device(), i));
        }
    }

    /** Those that the conf file wants from the beginning on. */
    private void startTraces() throws IOException {
        for (int i = 0; i < devices.size(); i++) {
            Optional<Path> name = devices.get(i).config().trace();
            if (name.isPresent()) {
                try {
                    Waiting.until(traces.get(i).start(name.get()), TRACE_SECONDS);
                } catch (TimeoutException e) {
                    throw new IOException("no trace to " + name.get() + " within reason", e);
                }
            }
        }
    }

    private Optional<ServerTls> openTls() throws IOException {
        Optional<TlsConfig> tls = config.server().tls();
        if (tls.isEmpty()) {
            return Optional.empty();
        }
        TlsConfig files = tls.get();
        return Optional.of(
                opened.add(
                        ServerTls.load(
                                new TlsFiles(files.certificate(), files.key(), files.clientCa()))));
    }

    private void serve(NbdServer nbd, HandedSocket client) {
        TlsMode mode = Listeners.mode(config.server().unix().tls());
        var _ = nbd.serve(client, mode).thenRun(() -> clientLeft.complete(null));
    }

    /** Done when the one client that a daemon was given for its only one has left. */
    public CompletableFuture<Void> clientLeft() {
        return clientLeft;
    }

    private NbdServer openNbd(NbdLimits limits, Optional<ServerTls> tls) {
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
                        nbdCounters,
                        tls);
        opened.add(() -> drain(nbd));
        return nbd;
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

    /** Without lines where there is no unix socket without TLS, which the shim needs. */
    private ShimMap shimMap(Optional<Path> unixSocket) {
        List<ShimMap.Line> lines = new ArrayList<>();
        boolean isOpen = config.server().unix().tls() != TlsUse.REQUIRED;
        for (int i = 0; i < devices.size() && unixSocket.isPresent() && isOpen; i++) {
            DeviceConfig device = devices.get(i).config();
            Path queueFile = queueFiles.get(i).path();
            lines.add(
                    new ShimMap.Line(
                            device.name(),
                            device.path(),
                            unixSocket.get(),
                            queueFile,
                            sharing.socket()));
        }
        return new ShimMap(lines, sharing.whyNot());
    }

    private void openControl(RuntimeFolder folder, NbdServer nbd, Addresses addresses)
            throws IOException {
        List<ControlledDevice> controlled = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            LiveDevice live = devices.get(i);
            QueueFile queueFile = queueFiles.get(i);
            int number = i;
            controlled.add(
                    new ControlledDevice(
                            live.config(),
                            live.device(),
                            live.burner(),
                            addresses.uris(live.device().name()),
                            new ControlledDevice.Told(
                                    settings -> {
                                        queueFile.update(settings);
                                        sharing.update(number, settings);
                                    },
                                    queueFile::timeScale),
                            () -> live.store().allocatedBytes(live.device().loop()),
                            traces.get(i)));
        }
        SysTree tree = new SysTree(controlled);
        SysFolder sys = SysFolder.create(folder.shimSys(), tree, controlled);
        EventLoops loop = opened.add(EventLoops.open("control", 1));
        ControlDesk desk =
                new ControlDesk(
                        controlled,
                        tree,
                        () -> serverFields(nbd),
                        () -> CompletableFuture.runAsync(() -> refresh(sys), loop.group()));
        opened.add(ControlServer.listen(folder.controlSocket(), desk, loop.group()));
    }

    /** A tree that cannot be changed is no reason to refuse what has been tuned. */
    private static void refresh(SysFolder sys) {
        try {
            sys.refresh();
        } catch (IOException e) {
            LOG.warn("the elevators' files of {} are not up to date", e.getMessage());
        }
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
        fields.put("shm", sharing.fields());
        return fields;
    }

    private static NbdLimits limits(LimitsConfig config) {
        NbdLimits defaults = NbdLimits.DEFAULTS;
        long idleMs = Math.ceilDiv(config.idleNs(), 1_000_000);
        return new NbdLimits(
                Math.toIntExact(config.handshakeDeadlineNs() / 1_000_000),
                Math.toIntExact(config.payloadDeadlineNs() / 1_000_000),
                config.connections(),
                config.maxOptions(),
                defaults.maxOptionBytes(),
                config.maxRequestBytes(),
                defaults.maxSkipBytes(),
                config.requestsInFlight(),
                Math.toIntExact(config.bytesInFlight()),
                config.memoryBytes(),
                defaults.writeHighWaterBytes(),
                Math.toIntExact(idleMs));
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
            Waiting.until(nbd.drain(DRAIN), 2 * DRAIN.toSeconds());
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
                BlockStatus status = Waiting.until(each.getValue(), FLUSH_SECONDS);
                if (status != BlockStatus.OK) {
                    throw new IOException("device " + name + ": the last FLUSH ended " + status);
                }
            } catch (TimeoutException e) {
                throw new IOException(
                        "device " + name + ": no end of FLUSH after " + FLUSH_SECONDS + " s", e);
            }
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
