package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was flushed is there after the daemon was killed without warning. */
class DurabilityTest {
    @TempDir Path folder;

    private Path conf() throws IOException {
        Path conf = folder.resolve("file.conf");
        return Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                devices { disk { drive = laptop-ide-2006, size = 64 MiB, store { type = file, path = disk.img } } }
                """
                        .formatted(Tools.home()));
    }

    @Test
    void everyFlushedByteOutlivesAKilledDaemon() throws IOException {
        Tools.require("qemu-io");
        Path conf = conf();
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            Command.of(
                            "qemu-io",
                            "-f",
                            "raw",
                            "-c",
                            "write -P 0xa5 0 4M",
                            "-c",
                            "write -P 0x3c 32M 1M",
                            "-c",
                            "flush")
                    .and("-c", "write -f -P 0x77 63M 64k", daemon.uri("disk"))
                    .succeed();
            daemon.kill();
        }
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            Command.Outcome outcome =
                    Command.of(
                                    "qemu-io",
                                    "-f",
                                    "raw",
                                    "-c",
                                    "read -P 0xa5 0 4M",
                                    "-c",
                                    "read -P 0x3c 32M 1M")
                            .and(
                                    "-c",
                                    "read -P 0x77 63M 64k",
                                    "-c",
                                    "read -P 0 8M 1M",
                                    daemon.uri("disk"))
                            .succeed();
            assertThat(outcome.output()).doesNotContain("verification failed");
        }
    }
}
