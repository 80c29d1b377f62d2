package dev.spindle.testbench.simulate;

import dev.spindle.config.DeviceConfig;
import dev.spindle.config.WorkloadAccess;
import dev.spindle.config.WorkloadConfig;
import dev.spindle.config.WorkloadFileSystem;
import dev.spindle.config.WorkloadPattern;

/** Whether a workload suits a device: looked at before anything runs, cheapest first. */
record Fit(DeviceConfig device, WorkloadConfig workload) {
    private static final int FRAME_BYTES = 2048;
    private static final long MAX_REQUESTS = 10_000_000;
    private static final long LEAST_FILE_BYTES = 64 << 10;

    void check() {
        boolean writes = workload.readPercent() < 100 || !isDirect();
        require(
                !(device.readOnly() && writes),
                "writes, and %s is read-only".formatted(device.name()));
        if (isInFiles()) {
            checkFiles();
        }
        if (isDirect()) {
            checkRequests();
        }
        long least = isDirect() ? 1 : LEAST_FILE_BYTES;
        require(
                workload.totalBytes() / workload.jobs() >= least,
                "total=%d is too little for jobs=%d"
                        .formatted(workload.totalBytes(), workload.jobs()));
    }

    private boolean isDirect() {
        return workload.access() != WorkloadAccess.BUFFERED
                && workload.pattern() != WorkloadPattern.TREE;
    }

    private boolean isInFiles() {
        return workload.fileSystem() != WorkloadFileSystem.RAW
                || workload.pattern() == WorkloadPattern.TREE;
    }

    private void checkFiles() {
        long most = (long) Integer.MAX_VALUE * FRAME_BYTES;
        require(
                workload.totalBytes() < most / 2,
                "total=%d in files, allowed less than %d"
                        .formatted(workload.totalBytes(), most / 2));
        require(
                workload.totalBytes() / workload.files() >= LEAST_FILE_BYTES,
                "total=%d leaves less than %d bytes for each of files=%d"
                        .formatted(workload.totalBytes(), LEAST_FILE_BYTES, workload.files()));
    }

    private void checkRequests() {
        int unit = isInFiles() ? FRAME_BYTES : device.drive().logicalBlockBytes();
        for (long bytes : workload.blockBytes()) {
            require(
                    bytes % unit == 0,
                    "block=%d is not a multiple of the %d bytes of %s"
                            .formatted(bytes, unit, isInFiles() ? "a frame" : device.name()));
        }
        long shortest = workload.blockBytes().stream().mapToLong(Long::longValue).min().orElse(1);
        require(
                workload.totalBytes() / shortest <= MAX_REQUESTS,
                "total=%d in blocks of %d, allowed at most %d requests"
                        .formatted(workload.totalBytes(), shortest, MAX_REQUESTS));
        long natural = isInFiles() ? workload.totalBytes() : device.sizeBytes();
        long area = workload.areaBytes().orElse(natural);
        require(area <= natural, "area=%d beyond the %d bytes there are".formatted(area, natural));
        require(
                area / workload.jobs() >= workload.longestBlockBytes() + unit,
                "block=%d does not fit in the share of area=%d of each of jobs=%d"
                        .formatted(workload.longestBlockBytes(), area, workload.jobs()));
    }

    /** Of the files, which are laid out by now. */
    static void requireEnd(long endBytes, DeviceConfig device, WorkloadConfig workload) {
        new Fit(device, workload)
                .require(
                        endBytes <= device.sizeBytes(),
                        "its files end at %d, beyond the %d bytes of %s"
                                .formatted(endBytes, device.sizeBytes(), device.name()));
    }

    private void require(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new IllegalArgumentException("workload " + workload.name() + ": " + otherwise);
        }
    }
}
