package dev.spindle.config;

import java.util.List;

/** The keys of {@code server.shm}. */
final class ShmKeys {
    static final String SHM = "server.shm";
    private static final long MIB = 1 << 20;
    static final long ARENA_STEP_BYTES = 4 * MIB;

    static final Key<Boolean> ENABLED =
            Key.of(
                    SHM + ".enabled",
                    new Flag(),
                    true,
                    "Programs under the shim share memory with the daemon; off leaves them NBD.");
    static final Key<String> PATH =
            Key.of(
                    SHM + ".path",
                    Text.matching("/[^\\p{Cntrl}]{1,255}", "an absolute path", "/dev/shm"),
                    "/dev/shm",
                    "The file system of the shared files, on tmpfs.");
    static final Key<Long> ARENA =
            Key.of(
                    SHM + ".arena",
                    new Size(4 * MIB, 1024 * MIB),
                    256 * MIB,
                    "The most data one process has under way on one device, a multiple of 4 MiB;"
                            + " taken as it is needed, and what finds no room waits. At least"
                            + " nr_requests times max_sectors_kb, or that is what limits first.");
    static final Key<Long> MEMORY =
            Key.of(
                    SHM + ".memory",
                    new Size(4 * MIB, 65536 * MIB),
                    2048 * MIB,
                    "All processes together, at least arena.");
    static final Key<Integer> CLIENTS =
            Key.of(
                    SHM + ".clients",
                    WholeNumber.from(1, 65536),
                    1024,
                    "Processes times devices; the next one is refused and speaks NBD.");

    private ShmKeys() {}

    static List<Key<?>> all() {
        return List.of(ENABLED, PATH, ARENA, MEMORY, CLIENTS);
    }
}
