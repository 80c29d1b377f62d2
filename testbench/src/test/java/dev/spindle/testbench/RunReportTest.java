package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.control.BadRequestException;
import dev.spindle.control.ControlAnswer;
import dev.spindle.control.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code spindle run --report} of real programs, whatever becomes of them. */
class RunReportTest {
    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("report.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                include "%1$s/conf/drives/dvd+rw-4x.conf"
                server { tcp { enabled = off } }
                devices {
                    hda { drive = laptop-ide-2006, size = 64 MiB }
                    quick { drive = null, size = 64 MiB }
                    fast { drive = null, size = 64 MiB }
                    dvd {
                        drive = "dvd+rw-4x"
                        time_scale = 10
                        packet { policy = flag, congestion_on = 500, congestion_off = 400 }
                    }
                    burner { drive = "dvd+rw-4x", time_scale = 40, queue { nr_requests = 16 } }
                }
                """
                        .formatted(Tools.home()));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static Command.Outcome run(String... words) {
        return daemon.spindle("run", "--report", "--json").and(words).in(folder).run();
    }

    /** The line of JSON, behind what the program itself said. */
    private static ControlAnswer report(Command.Outcome outcome) throws BadRequestException {
        String line =
                outcome.errors()
                        .lines()
                        .filter(each -> each.startsWith("{\"active_s\""))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(outcome.toString()));
        return new ControlAnswer(Json.parse(line));
    }

    private static ControlAnswer device(ControlAnswer report, String name) {
        return report.objects("devices").stream()
                .filter(device -> device.text("device").equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Random blocks for a burner that is too slow for them: more at once than its mark, and half as
     * many again, which come when the daemon has seen the first.
     */
    private static ControlAnswer burn(String transport, String policy) throws BadRequestException {
        Tools.require("fio");
        String[] words = {
            "--device",
            "burner",
            "--transport",
            transport,
            "--set",
            "packet/congestion_on=500",
            "--set",
            "packet/congestion_off=400",
            "--set",
            "packet/policy=" + policy,
            "--",
            "fio",
            "--name=b",
            "--filename=/dev/burner",
            "--rw=randwrite",
            "--bs=2k",
            "--size=64m",
            "--io_size=3000k",
            "--direct=1",
            "--ioengine=libaio",
            "--iodepth=1024"
        };
        return device(report(run(words)), "burner").object("write_pool_waits");
    }

    /** pktcdvd took bios as they came: nr_requests was of the queue below it. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "nbd"})
    void aBurnersWriterWaitsForTheMarksOfItsWriteQueueAlone(String transport)
            throws BadRequestException {
        assertThat(burn(transport, "none").whole("count")).isZero();
        assertThat(burn(transport, "block").whole("count")).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "nbd"})
    void blockingInSubmitIsSeen(String transport) throws BadRequestException {
        String[] words = {
            "--device",
            "hda",
            "--transport",
            transport,
            "--set",
            "nr_requests=16",
            "--",
            Tools.testaio(),
            "-n",
            "12",
            "/dev/hda"
        };
        ControlAnswer report = report(run(words));
        ControlAnswer reads = device(report, "hda").object("read");
        assertThat(report.text("transport")).isEqualTo(transport);
        assertThat(reads.whole("ended")).isEqualTo(12);
        assertThat(reads.whole("bytes")).isEqualTo(12L << 20);
        assertThat(reads.whole("split")).isEqualTo(12);
        assertThat(reads.whole("pieces")).isEqualTo(96);
        ControlAnswer submit = report.object("calls").object("submit");
        assertThat(submit.whole("items")).isEqualTo(12);
        assertThat(submit.number("blocked_s")).isBetween(0.1, submit.number("s"));
        assertThat(device(report, "hda").object("read_pool_waits").number("s"))
                .isEqualTo(submit.number("blocked_s"));
        assertThat(reads.object("latency_us").number("max")).isLessThan(60e6);
        ControlAnswer counted = device(report, "hda").object("daemon");
        assertThat(counted.whole("commands")).isEqualTo(96);
        assertThat(counted.whole("read_congested")).isPositive();
        assertThat(counted.whole("read_congested_ns")).isPositive();
        assertThat(device(report, "hda").object("offenders").fields().keySet())
                .singleElement()
                .asString()
                .startsWith("testaio (");
    }

    /** Reaped long after they ended, as testaio does: the latency is the drive's all the same. */
    @Test
    void aRequestHasEndedWhenTheDaemonSaysSo() throws BadRequestException {
        String[] words = {
            "--device",
            "hda",
            "--set",
            "nr_requests=16",
            "--",
            Tools.testaio(),
            "-n",
            "12",
            "/dev/hda"
        };
        ControlAnswer report = report(run(words));
        double submitS = report.object("calls").object("submit").number("s");
        ControlAnswer latency = device(report, "hda").object("read").object("latency_us");
        assertThat(latency.number("p50") / 1e6).isLessThan(0.8 * submitS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "nbd"})
    void whatAKilledProcessDidIsNotLost(String transport) throws BadRequestException {
        String killed = Tools.home().resolve("shim-native/build/test/killed").toString();
        ControlAnswer report =
                report(
                        run(
                                "--transport",
                                transport,
                                "--",
                                "sh",
                                "-c",
                                killed + " /dev/quick; kill -KILL $$"));
        assertThat(report.whole("status")).isEqualTo(137);
        // Once to have other data there, once by the process that is killed, both 64 times.
        assertThat(device(report, "quick").object("write").whole("started")).isEqualTo(128);
        assertThat(
                        report.objects("processes").stream()
                                .map(each -> each.object("write").whole("started")))
                .contains(64L);
    }

    @Test
    void everyProcessCountsForItself() throws BadRequestException {
        String script =
                "for d in quick fast quick; do dd if=/dev/$d of=/dev/null bs=4k count=8 iflag=direct"
                        + " 2>/dev/null & done; wait; exec dd if=/dev/fast of=/dev/null bs=1M count=2"
                        + " 2>/dev/null";
        ControlAnswer report = report(run("--device", "quick,fast", "--", "sh", "-c", script));
        assertThat(device(report, "quick").object("read").whole("ended")).isEqualTo(16);
        assertThat(device(report, "fast").object("read").whole("ended")).isEqualTo(10);
        assertThat(
                        report.objects("processes").stream()
                                .filter(process -> process.text("program").equals("dd")))
                .hasSize(4);
    }

    /** More processes than there are records: the sums are right, the names are not kept. */
    @Test
    void moreProcessesThanRecordsAreCountedTogether() throws BadRequestException {
        String script =
                "i=0; while [ $i -lt 260 ]; do dd if=/dev/quick of=/dev/null bs=4k count=1"
                        + " iflag=direct 2>/dev/null; i=$((i + 1)); done";
        ControlAnswer report = report(run("--device", "quick", "--", "sh", "-c", script));
        assertThat(device(report, "quick").object("read").whole("ended")).isEqualTo(260);
        assertThat(
                        report.objects("processes").stream()
                                .filter(process -> process.text("program").equals("(others)")))
                .singleElement()
                .extracting(others -> others.object("read").whole("ended"))
                .isEqualTo(20L);
    }

    @Test
    void thePageIsDrawn() throws IOException {
        Path page = folder.resolve("page.html");
        daemon.spindle("run", "--report=" + page, "--", "dd", "if=/dev/hda", "of=/dev/null")
                .and("bs=64k", "count=64", "iflag=direct")
                .succeed();
        assertThat(Files.readString(page)).contains("<svg", "Throughput", "in flight");
    }

    /** The packet writer's flag goes up at 500 pieces, the driver's least; nobody looks at it. */
    @Test
    void whoDoesNotHonourThePacketWritersFlagIsNamed() throws BadRequestException {
        String program = Tools.home().resolve("testbench/build/manydisks").toString();
        String twelve = "/dev/dvd ".repeat(12);
        String script = "exec " + program + " --write -d 64 -s 64k -n 64 " + twelve;
        String[] words = {"--device", "dvd", "--set", "nr_requests=4096", "--", "sh", "-c", script};
        ControlAnswer report = report(run(words));
        ControlAnswer dvd = device(report, "dvd");
        assertThat(dvd.object("write").whole("ended")).isEqualTo(12 * 64);
        ControlAnswer counted = dvd.object("daemon");
        assertThat(counted.whole("commands")).isPositive();
        assertThat(counted.whole("write_congested")).isPositive();
        assertThat(counted.object("did_not_honor_congestion").fields()).isNotEmpty();
        assertThat(dvd.object("offenders").fields().keySet())
                .singleElement()
                .asString()
                .startsWith("manydisks (");
    }
}
