package dev.spindle.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the sections {@code workloads} and {@code hosts}, which only simulations use. */
final class WorkloadReader {
    private WorkloadReader() {}

    static List<HostConfig> hosts(Section hosts) {
        List<HostConfig> read = new ArrayList<>();
        for (String name : hosts.names()) {
            host(name, hosts.child(name)).ifPresent(read::add);
        }
        return read;
    }

    private static Optional<HostConfig> host(String name, Section host) {
        int before = host.faults();
        long bioBytes = host.read(WorkloadKeys.BIO);
        long perPageNs = host.read(WorkloadKeys.CPU_PER_PAGE);
        long perCallNs = host.read(WorkloadKeys.CPU_PER_CALL);
        long perRequestNs = host.read(WorkloadKeys.CPU_PER_REQUEST);
        int switches = host.read(WorkloadKeys.IDLE_SWITCHES);
        long memoryRate = host.read(WorkloadKeys.MEMORY_RATE);
        HostConfig.Memory memory = memory(host);
        double metadataReads = host.read(WorkloadKeys.METADATA_READS);
        if (bioBytes % 4096 != 0) {
            host.problem(
                    WorkloadKeys.BIO.name(),
                    WorkloadKeys.BIO.type().render(bioBytes) + " is no number of pages of 4 KiB");
        }
        return host.ifSound(
                before,
                () ->
                        new HostConfig(
                                name,
                                bioBytes,
                                perPageNs,
                                perCallNs,
                                perRequestNs,
                                switches,
                                memoryRate,
                                memory,
                                metadataReads));
    }

    private static HostConfig.Memory memory(Section host) {
        long cache = host.read(WorkloadKeys.CACHE);
        long dirty = host.read(WorkloadKeys.DIRTY);
        long background = host.read(WorkloadKeys.BACKGROUND);
        if (dirty > cache) {
            host.problem(
                    WorkloadKeys.DIRTY.name(),
                    WorkloadKeys.DIRTY.type().render(dirty)
                            + " is more than cache = "
                            + WorkloadKeys.CACHE.type().render(cache));
        }
        if (background > dirty) {
            host.problem(
                    WorkloadKeys.BACKGROUND.name(),
                    WorkloadKeys.BACKGROUND.type().render(background)
                            + " is more than dirty = "
                            + WorkloadKeys.DIRTY.type().render(dirty));
        }
        return new HostConfig.Memory(cache, dirty, background);
    }

    static List<WorkloadConfig> workloads(Section workloads) {
        List<WorkloadConfig> read = new ArrayList<>();
        for (String name : workloads.names()) {
            workload(name, workloads.child(name)).ifPresent(read::add);
        }
        return read;
    }

    private static Optional<WorkloadConfig> workload(String name, Section workload) {
        int before = workload.faults();
        WorkloadPattern pattern = workload.read(WorkloadKeys.PATTERN);
        WorkloadAccess access = workload.read(WorkloadKeys.ACCESS);
        int depth = workload.read(WorkloadKeys.DEPTH);
        if (access == WorkloadAccess.SYNC && depth > 1) {
            workload.problem(
                    WorkloadKeys.DEPTH.name(), depth + " with access = sync, allowed 1; write aio");
        }
        List<Long> blocks = workload.read(WorkloadKeys.BLOCK);
        boolean isBuffered = access == WorkloadAccess.BUFFERED && pattern != WorkloadPattern.TREE;
        if (isBuffered && pattern != WorkloadPattern.SEQUENTIAL) {
            workload.problem(
                    WorkloadKeys.PATTERN.name(),
                    WorkloadKeys.PATTERN.type().render(pattern)
                            + " with access = buffered, allowed sequential or tree");
        }
        if (isBuffered && !isChunk(blocks)) {
            workload.problem(
                    WorkloadKeys.BLOCK.name(),
                    WorkloadKeys.BLOCK.type().render(blocks)
                            + " with access = buffered, allowed one multiple of 4 KiB up to 1 MiB");
        }
        WorkloadConfig config =
                new WorkloadConfig(
                        name,
                        workload.find(WorkloadKeys.DEVICE),
                        workload.find(WorkloadKeys.WORKLOAD_HOST),
                        pattern,
                        access,
                        workload.read(WorkloadKeys.FILE_SYSTEM),
                        workload.read(WorkloadKeys.READS),
                        workload.read(WorkloadKeys.JUMP),
                        blocks,
                        workload.read(WorkloadKeys.TOTAL),
                        workload.find(WorkloadKeys.AREA),
                        workload.read(WorkloadKeys.FILES),
                        depth,
                        workload.read(WorkloadKeys.JOBS),
                        workload.read(WorkloadKeys.THINK),
                        workload.read(WorkloadKeys.SYNC),
                        workload.read(WorkloadKeys.SEED));
        return workload.ifSound(before, () -> config);
    }

    private static boolean isChunk(List<Long> blocks) {
        long bytes = blocks.getFirst();
        return blocks.size() == 1 && bytes % 4096 == 0 && bytes <= 1 << 20;
    }
}
