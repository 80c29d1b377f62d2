package dev.spindle.config;

import java.util.List;
import java.util.Optional;

/**
 * What programs do to a device, for simulations.
 *
 * @param device empty for the only one there is
 * @param host empty for one that costs nothing
 * @param readPercent of the requests
 * @param jumpPercent of the requests of a mixed pattern go elsewhere instead of on
 * @param blockBytes the lengths of requests, one as likely as the other
 * @param totalBytes moved by all jobs together
 * @param areaBytes the part of a raw device that is used; empty for all of it
 * @param depth requests of a job under way at a time
 * @param thinkNs of a job between the end of a request and the next
 * @param hasSync the last thing is a FLUSH
 */
public record WorkloadConfig(
        String name,
        Optional<String> device,
        Optional<String> host,
        WorkloadPattern pattern,
        WorkloadAccess access,
        WorkloadFileSystem fileSystem,
        int readPercent,
        int jumpPercent,
        List<Long> blockBytes,
        long totalBytes,
        Optional<Long> areaBytes,
        int files,
        int depth,
        int jobs,
        long thinkNs,
        boolean hasSync,
        int seed) {
    public WorkloadConfig {
        blockBytes = List.copyOf(blockBytes);
    }

    /** The same with another seed. */
    public WorkloadConfig seeded(int newSeed) {
        return new WorkloadConfig(
                name,
                device,
                host,
                pattern,
                access,
                fileSystem,
                readPercent,
                jumpPercent,
                blockBytes,
                totalBytes,
                areaBytes,
                files,
                depth,
                jobs,
                thinkNs,
                hasSync,
                newSeed);
    }

    public long longestBlockBytes() {
        return blockBytes.stream().mapToLong(Long::longValue).max().orElseThrow();
    }
}
