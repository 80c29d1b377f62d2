package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts and programs that read and write /sys of an emulated drive; what the kernel says of a
 * real disk's is compared where the machine has one.
 */
class SysfsProgramsTest {
    private static final String QUEUE = "/sys/block/hda/queue/";
    private static final Pattern ENQUEUE = Pattern.compile("\"enqueue_s\":\\s*([0-9.]+)");

    private static final String LOOK_AND_TRY =
            """
            cd /sys/block/$0/queue
            for file in nr_requests max_sectors_kb max_hw_sectors_kb logical_block_size \\
                hw_sector_size scheduler; do
                stat -c '%n %s %A %F' /sys/block/$0/queue/$file | sed "s/$0/DISK/"
            done
            for value in x -1 '' 0x10 4294967296 '5 6'; do
                (printf '%s' "$value" > nr_requests) 2>/dev/null; echo "$value: $?"
                (printf '%s' "$value" > max_sectors_kb) 2>/dev/null; echo "$value: $?"
            done
            for file in max_hw_sectors_kb ../size nosuch iosched; do
                (echo 1 > $file) 2>&1 | sed 's/.*: //'
            done
            (echo nosuch > scheduler) 2>/dev/null; echo $?
            (set -C; echo 1 > nr_requests) 2>/dev/null; echo $?
            cat nosuch 2>&1 | sed 's/.*: //'
            ls -d /sys/block/$0 /sys/class/block/$0 | sed "s/$0/DISK/"
            wc -w < ../stat; wc -w < ../inflight
            tail -c 2 scheduler | od -c
            """;

    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("sysfs.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                include "%1$s/conf/drives/dvd+rw-4x.conf"
                server { tcp { enabled = off } }
                devices {
                    hda { drive = laptop-ide-2006, size = 1 GiB }
                    dvd { drive = "dvd+rw-4x", packet { policy = block } }
                }
                """
                        .formatted(Tools.home()));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static Command under(String... program) {
        return daemon.spindle("run", "--").and(program).in(folder).within(Duration.ofSeconds(60));
    }

    private static String tuned(String setting) {
        return daemon.spindle("stat", "hda", "--json")
                .succeed()
                .output()
                .replaceAll(
                        "(?s).*\"" + Pattern.quote(setting) + "\"\\s*:\\s*\"?([^,\"}]+).*", "$1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash", "dash"})
    void aScriptTunesAndReads(String shell) {
        Tools.require(shell);
        String script =
                """
                echo 512 > %1$snr_requests && cat %1$snr_requests
                read value < %1$snr_requests && echo "read $value"
                printf 77 >> %1$snr_requests; cat < %1$snr_requests
                echo 3 > %1$snr_requests; cat %1$snr_requests
                cd /sys/block/hda/queue && pwd && echo 100 > nr_requests && cat nr_requests
                cd ../../ && pwd -P
                echo x > %1$snr_requests || echo refused
                (echo 1 > %1$smax_hw_sectors_kb) 2>/dev/null || echo denied
                (echo 1 > %1$snosuch) 2>/dev/null || echo denied
                echo deadline > %1$sscheduler; cat %1$sscheduler; ls %1$siosched
                echo noop > %1$sscheduler; ls %1$siosched
                """
                        .formatted(QUEUE);
        assertThat(under(shell, "-c", script).succeed().output())
                .isEqualTo(
                        """
                        512
                        read 512
                        77
                        4
                        /sys/block/hda/queue
                        100
                        %s
                        refused
                        denied
                        denied
                        noop anticipatory [deadline] cfq\s
                        fifo_batch
                        read_expire
                        write_expire
                        writes_starved
                        """
                                .formatted("/sys/block"));
        assertThat(tuned("queue/nr_requests")).isEqualTo("100");
    }

    @Test
    void bashTellsTheKernelsError() {
        Tools.require("bash");
        assertThat(under("bash", "-c", "echo x > " + QUEUE + "nr_requests").run().errors())
                .contains("echo: write error: Invalid argument");
        assertThat(under("bash", "-c", "echo 1 > " + QUEUE + "rotational").run().errors())
                .contains("Permission denied");
    }

    @Test
    void whatIsTunedElsewhereIsRead() {
        daemon.spindle("tune", "hda", "queue/nr_requests=640").succeed();
        assertThat(under("cat", QUEUE + "nr_requests").succeed().output()).isEqualTo("640\n");
        daemon.spindle("tune", "hda", "queue/elevator=cfq").succeed();
        assertThat(under("ls", QUEUE + "iosched").succeed().output()).contains("back_seek_max");
        daemon.spindle("tune", "hda", "queue/elevator=noop").succeed();
    }

    @Test
    void aFileKeptOpenIsReadAnewFromItsStart() {
        Tools.require("python3");
        String program =
                """
                import os
                path = '%snr_requests'
                kept = os.open(path, os.O_RDWR)
                def again():
                    os.lseek(kept, 0, os.SEEK_SET)
                    return os.read(kept, 100).decode().strip()
                for value in ('7', '65535', '12'):
                    open(path, 'w').write(value)
                    print(again(), os.pread(os.dup(kept), 100, 0).decode().strip())
                for bad in (b'-1', b'0x10', b'4294967296', b' 5', b'5\\n\\n', b'65537'):
                    try:
                        os.write(kept, bad)
                    except OSError as error:
                        print(error.strerror)
                print(os.write(kept, b''), os.write(kept, b'+9\\n'), again())
                print(os.fstat(kept).st_ino == os.stat(path).st_ino, os.stat(path).st_size)
                os.chdir('/sys/block/hda'); print(os.getcwd())
                folder = os.open('queue', os.O_RDONLY)
                print(os.read(os.open('hw_sector_size', os.O_RDONLY, dir_fd=folder), 100))
                """
                        .formatted(QUEUE);
        assertThat(under("python3", "-c", program).succeed().output())
                .isEqualTo(
                        "7 7\n65535 65535\n12 12\n"
                                + "Invalid argument\n".repeat(6)
                                + "0 3 9\nTrue 4096\n/sys/devices/virtual/block/hda\nb'512\\n'\n");
    }

    @Test
    void theTreeIsWalked() {
        assertThat(under("ls", "/sys/block").succeed().output().lines()).contains("hda", "dvd");
        assertThat(under("readlink", "/sys/block/hda").succeed().output())
                .isEqualTo("../devices/virtual/block/hda\n");
        assertThat(under("realpath", "/sys/class/block/hda/queue").succeed().output())
                .isEqualTo("/sys/devices/virtual/block/hda/queue\n");
        assertThat(under("grep", "-r", ".", "/sys/block/hda/queue").succeed().output())
                .contains(QUEUE + "logical_block_size:512", QUEUE + "max_hw_sectors_kb:128");
        assertThat(under("find", "/sys/block/hda/", "-name", "size").succeed().output())
                .isEqualTo("/sys/block/hda/size\n");
        assertThat(
                        under("cat", "/sys/dev/block/43:1/uevent", "/sys/block/dvd/dev")
                                .succeed()
                                .output())
                .contains("DEVNAME=hda")
                .endsWith("43:0\n");
        Path copy = folder.resolve("copied");
        under("cp", QUEUE + "scheduler", copy.toString()).succeed();
        assertThat(copy).content().startsWith("[noop]");
    }

    /** What a run does not see is not in its /sys, and the numbers are those of its devices. */
    @Test
    void aRunSeesItsOwnDevices() {
        Command alone = daemon.spindle("run", "--device", "dvd", "--", "sh", "-c");
        String output =
                alone.and(
                                "ls /sys/block; cat /sys/block/dvd/dev; cat /sys/class/pktcdvd/device_map")
                        .succeed()
                        .output();
        assertThat(output.lines()).contains("dvd", "43:0", "pktcdvd0 43:0 0:0");
        assertThat(output.lines()).doesNotContain("hda");
        assertThat(
                        daemon.spindle("run", "--device", "dvd", "--", "cat", QUEUE + "nr_requests")
                                .run()
                                .errors())
                .contains("No such file or directory");
    }

    @Test
    void thePacketWritersMarksAreCorrectedAsByTheDriver() {
        String script =
                """
                cd /sys/class/pktcdvd/pktcdvd0
                for on in 2000 100 -1 10000; do
                    echo $on > write_queue/congestion_on
                    echo $(cat write_queue/congestion_on write_queue/congestion_off)
                done
                echo 50 > write_queue/congestion_off; cat write_queue/congestion_off
                echo none > write_queue/congestion_off && echo taken
                echo 1 > stat/reset && cat stat/kb_written write_queue/size
                echo 43:0 > /sys/class/pktcdvd/add && echo taken
                echo x > /sys/class/pktcdvd/add || echo refused
                cat stat/reset 2>/dev/null || echo denied
                """;
        assertThat(under("sh", "-c", script).succeed().output())
                .isEqualTo(
                        """
                        2000 1900
                        500 400
                        -1 -1
                        10000 9900
                        100
                        taken
                        0
                        0
                        taken
                        refused
                        denied
                        """);
    }

    /** Lists, modes and errors: what Linux 6.18 says of a virtio disk, and ours too. */
    @Test
    void looksLikeARealDisks() throws IOException {
        Tools.require("bash");
        String wanted =
                """
                /sys/block/DISK/queue/nr_requests 4096 -rw-r--r-- regular file
                /sys/block/DISK/queue/max_sectors_kb 4096 -rw-r--r-- regular file
                /sys/block/DISK/queue/max_hw_sectors_kb 4096 -r--r--r-- regular file
                /sys/block/DISK/queue/logical_block_size 4096 -r--r--r-- regular file
                /sys/block/DISK/queue/hw_sector_size 4096 -r--r--r-- regular file
                /sys/block/DISK/queue/scheduler 4096 -rw-r--r-- regular file
                x: 1
                x: 1
                -1: 1
                -1: 1
                : 0
                : 0
                0x10: 1
                0x10: 1
                4294967296: 1
                4294967296: 1
                5 6: 1
                5 6: 1
                Permission denied
                Permission denied
                Permission denied
                Is a directory
                1
                1
                No such file or directory
                /sys/block/DISK
                /sys/class/block/DISK
                17
                2
                0000000      \\n
                0000002
                """;
        assertThat(under("bash", "-c", LOOK_AND_TRY, "hda").succeed().output()).isEqualTo(wanted);
        for (String real : realDisks()) {
            assertThat(Command.of("bash", "-c", LOOK_AND_TRY, real).succeed().output())
                    .isEqualTo(wanted);
        }
    }

    /** Those of the machine whose queue we might tune; nothing of it is changed. */
    private static List<String> realDisks() throws IOException {
        Path block = Path.of("/sys/block");
        if (!Files.isDirectory(block)) {
            return List.of();
        }
        try (Stream<Path> disks = Files.list(block)) {
            return disks.filter(disk -> Files.isWritable(disk.resolve("queue/nr_requests")))
                    .map(disk -> String.valueOf(disk.getFileName()))
                    .filter(name -> name.startsWith("vd"))
                    .sorted()
                    .toList();
        }
    }

    /** Thread 000: the queue is made longer by a script, beside a program that waits for it. */
    @Test
    void aLongerQueueIsFeltByTheProgramThatRuns() {
        assertThat(enqueueS(128, 128)).isGreaterThan(3.0);
        assertThat(enqueueS(1024, 1024)).isLessThan(1.2);
        assertThat(enqueueS(128, 1024)).as("made longer while it runs").isBetween(0.3, 3.0);
    }

    private static double enqueueS(int before, int meanwhile) {
        String script =
                """
                echo %1$d > %3$snr_requests
                "$0" --json /dev/hda &
                sleep 0.7
                echo %2$d > %3$snr_requests
                wait
                """
                        .formatted(before, meanwhile, QUEUE);
        return ENQUEUE.matcher(under("sh", "-c", script, Tools.testaio()).succeed().output())
                .results()
                .mapToDouble(result -> Double.parseDouble(result.group(1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theDevicesAreInProcPartitionsIfAskedFor() {
        Command asked = daemon.spindle("run", "--proc-partitions", "--", "cat", "/proc/partitions");
        assertThat(asked.succeed().output()).contains("  43        1    1048576 hda\n");
        assertThat(under("cat", "/proc/partitions").succeed().output()).doesNotContain("hda");
    }

    @Test
    void lsblkShowsThem() {
        Tools.require("lsblk");
        assertThat(
                        under("lsblk", "-n", "-b", "-o", "NAME,MAJ:MIN,SIZE,TYPE,LOG-SEC,SCHED")
                                .succeed()
                                .output())
                .containsPattern("dvd +43:0 ")
                .containsPattern("hda +43:1 +1073741824 disk +512 noop");
    }
}
