package dev.spindle.testbench.simulate;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.HostConfig;
import dev.spindle.config.WorkloadAccess;
import dev.spindle.config.WorkloadConfig;
import dev.spindle.config.WorkloadFileSystem;
import dev.spindle.config.WorkloadPattern;
import dev.spindle.metrics.LatencyHistogram;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.Submitter;
import dev.spindle.testbench.host.AddressSpace;
import dev.spindle.testbench.host.DeviceShelf;
import dev.spindle.testbench.host.DirectJob;
import dev.spindle.testbench.host.Dirtier;
import dev.spindle.testbench.host.DiscWriter;
import dev.spindle.testbench.host.FileTree;
import dev.spindle.testbench.host.PageCache;
import dev.spindle.testbench.host.Pdflush;
import dev.spindle.testbench.host.QueueWatch;
import dev.spindle.testbench.host.SimulatedDevice;
import dev.spindle.testbench.host.Syncer;
import dev.spindle.time.EventHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run of a workload on a host and a device: the same settings give the same measures. */
final class Simulation {
    private static final int FRAME_BYTES = 2048;
    private static final long STEP_NS = 1_000_000_000;
    private static final long LAST_NS = 40L * 24 * 3600 * STEP_NS;

    private final DeviceConfig config;
    private final HostConfig host;
    private final WorkloadConfig workload;
    private final EventHeap events = new EventHeap();
    private final SimulatedDevice device;
    private final QueueWatch watch;
    private LatencyHistogram latencies = new LatencyHistogram();
    private int running;
    private @Nullable Measures result;

    private Simulation(DeviceConfig config, HostConfig host, WorkloadConfig workload) {
        this.config = config;
        this.host = host;
        this.workload = workload;
        device = DeviceShelf.open(config, events);
        watch = new QueueWatch(device, events);
    }

    /** Throws IllegalArgumentException where the workload does not suit the device. */
    static Measures run(DeviceConfig config, HostConfig host, WorkloadConfig workload) {
        new Fit(config, workload).check();
        Simulation simulation = new Simulation(config, host, workload);
        if (workload.pattern() == WorkloadPattern.TREE) {
            simulation.writeTree();
        } else if (workload.access() == WorkloadAccess.BUFFERED) {
            simulation.writeBuffered();
        } else {
            simulation.accessDirectly();
        }
        return simulation.finish();
    }

    private Measures finish() {
        long untilNs = 0;
        while (result == null) {
            untilNs += STEP_NS;
            if (untilNs >= LAST_NS) {
                throw new IllegalArgumentException(
                        "workload "
                                + workload.name()
                                + " on "
                                + config.name()
                                + " has not ended after 40 days of virtual time");
            }
            events.runUntil(untilNs);
        }
        return result;
    }

    private FileTree tree() {
        int frames = Math.toIntExact(workload.totalBytes() / FRAME_BYTES);
        return switch (workload.fileSystem()) {
            case RAW -> FileTree.raw(workload.files(), frames, workload.seed());
            case EXT2 -> FileTree.ext2(workload.files(), frames, workload.seed());
            case UDF -> FileTree.udf(workload.files(), frames, workload.seed());
        };
    }

    private void writeTree() {
        FileTree tree = tree();
        Fit.requireEnd(AddressSpace.of(tree).endBytes(), config, workload);
        boolean isExt2 = workload.fileSystem() == WorkloadFileSystem.EXT2;
        DiscWriter writer =
                new DiscWriter(
                        tree,
                        host.cpuPerRequestNs(),
                        DiscWriter.passFrames(),
                        isExt2 ? host.metadataReads() : 0,
                        workload.seed(),
                        events,
                        device);
        latencies = device.machine().latencies().writeTotal();
        writer.whenFinished(() -> {
            int bios = Math.toIntExact(latencies.summary().count());
            long bytes = AddressSpace.of(tree).bytes();
            end(new Effort(bios, bytes, writer.submittedNs() / 1e9, OptionalDouble.empty()));
        });
        writer.start();
    }

    private void writeBuffered() {
        int chunkBytes = Math.toIntExact(workload.longestBlockBytes());
        PageCache cache =
                new PageCache(
                        PageCache.Plan.of(host, chunkBytes),
                        events,
                        List.of(target()),
                        workload.seed());
        Fit.requireEnd(target().firstByte() + workload.totalBytes(), config, workload);
        int chunks = Math.toIntExact(workload.totalBytes() / workload.jobs() / chunkBytes);
        running = workload.jobs();
        int[] written = {0};
        for (int job = 0; job < workload.jobs(); job++) {
            new Dirtier("program " + job, 0, cache)
                    .limitedTo(
                            (long) chunks * chunkBytes,
                            new Dirtier.Progress() {
                                @Override
                                public void wrote(long ns) {
                                    latencies.record(ns);
                                    written[0]++;
                                }

                                @Override
                                public void ended() {
                                    bufferedEnded(cache, written[0], chunkBytes);
                                }
                            })
                    .start();
        }
        new Pdflush(0, cache).start();
    }

    private PageCache.Target target() {
        boolean isUdf = workload.fileSystem() == WorkloadFileSystem.UDF;
        int bioBytes =
                switch (workload.fileSystem()) {
                    case RAW -> Math.toIntExact(host.bioBytes());
                    case EXT2 -> 32 << 10;
                    case UDF -> FRAME_BYTES;
                };
        return new PageCache.Target(
                device,
                workload.fileSystem() == WorkloadFileSystem.RAW
                        ? 0
                        : (isUdf ? 1000L : 2000L) * FRAME_BYTES,
                bioBytes,
                () ->
                        device.machine() instanceof PacketWriter writer
                                ? writer.isCongested(true)
                                : device.queue().state().isWriteCongested());
    }

    private void bufferedEnded(PageCache cache, int written, int chunkBytes) {
        running--;
        if (running > 0) {
            return;
        }
        Effort effort =
                new Effort(
                        written,
                        (long) written * chunkBytes,
                        events.nowNs() / 1e9,
                        OptionalDouble.empty());
        if (workload.hasSync()) {
            new Syncer(0, device, cache, () -> end(effort)).start();
        } else {
            end(effort);
        }
    }

    private void accessDirectly() {
        boolean isRaw = workload.fileSystem() == WorkloadFileSystem.RAW;
        AddressSpace files = isRaw ? AddressSpace.raw(config.sizeBytes()) : AddressSpace.of(tree());
        Fit.requireEnd(files.endBytes(), config, workload);
        int sectorBytes = isRaw ? config.drive().logicalBlockBytes() : FRAME_BYTES;
        long area = Math.min(workload.areaBytes().orElse(files.bytes()), files.bytes());
        long share = area / workload.jobs() / sectorBytes * sectorBytes;
        List<DirectJob> jobs = new ArrayList<>();
        List<AccessPattern> patterns = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(workload.seed());
        boolean isSync = workload.access() == WorkloadAccess.SYNC;
        var plan = new DirectJob.Plan(host, workload.depth(), isSync, workload.thinkNs());
        var place = new DirectJob.Place(files, events, device);
        running = workload.jobs();
        for (int job = 0; job < workload.jobs(); job++) {
            var region = new AccessPattern.Region(area, job * share, (job + 1) * share);
            AccessPattern pattern =
                    new AccessPattern(
                            workload,
                            region,
                            workload.totalBytes() / workload.jobs(),
                            sectorBytes,
                            random.split());
            patterns.add(pattern);
            jobs.add(
                    new DirectJob(
                            "job " + job,
                            plan,
                            pattern,
                            place,
                            latencies,
                            () -> directEnded(jobs, patterns)));
        }
        jobs.forEach(DirectJob::start);
    }

    private void directEnded(List<DirectJob> jobs, List<AccessPattern> patterns) {
        running--;
        if (running > 0) {
            return;
        }
        Effort effort =
                new Effort(
                        patterns.stream().mapToInt(AccessPattern::requests).sum(),
                        patterns.stream().mapToLong(AccessPattern::movedBytes).sum(),
                        jobs.stream().mapToLong(DirectJob::submitNs).sum() / 1e9 / jobs.size(),
                        OptionalDouble.of(
                                jobs.stream().mapToLong(job -> job.processor().busyNs()).sum()
                                        / 1e9));
        // Out of whatever told of the end: the device is in the middle of something.
        events.after(0, "all jobs ended", () -> syncAndEnd(effort));
    }

    private void syncAndEnd(Effort effort) {
        if (!workload.hasSync()) {
            end(effort);
            return;
        }
        BlockRequest flush =
                new BlockRequest((_, _) -> end(effort)).prepare(BlockOperation.FLUSH, 0, 0, 0);
        device.submit(flush, Submitter.thatNeedsNoNews());
        device.unplug();
    }

    /**
     * What the programs did.
     *
     * @param submitSeconds of each, on average
     * @param cpuSeconds of all, where it is played
     */
    record Effort(int requests, long bytes, double submitSeconds, OptionalDouble cpuSeconds) {}

    private void end(Effort effort) {
        result = Reading.of(device, watch, latencies, effort, events.nowNs());
    }
}
