package dev.spindle.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process writes into the file by its offsets is what people are shown. */
class ReportFileTest {
    private static final long SECOND = 1_000_000_000L;
    @TempDir private Path folder;

    /** The file as a process of the run sees it. */
    private record Writer(FileChannel channel) {
        void number(int at, long value) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            channel.write(bytes.putLong(0, value), at);
        }

        void small(int at, int value) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
            channel.write(bytes.putInt(0, value), at);
        }

        void text(int at, String value) throws IOException {
            channel.write(ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)), at);
        }

        /** A process that used a device: so many reads, and some that have not ended. */
        void use(int number, int pid, String device, long reads, long more) throws IOException {
            int at = 4096 + number * 20_480;
            small(at + 4, pid);
            text(at + 8, "reader");
            text(at + 80, device);
            small(at + 156, 7);
            number(at + 320, 3);
            number(at + 328, 2 * SECOND);
            number(at + 336, SECOND);
            number(at + 368, 5);
            number(at + 384 + 2 * 8, reads);
            number(at + 576, reads + more);
            number(at + 584, reads);
            number(at + 600, reads * 4096);
            number(at + 608, 2 * reads);
            number(at + 616, reads);
            number(at + 624, reads * 1000);
            number(at + 632, 1000);
            number(at + 1024 + 112 * 8, reads);
            small(at, 2);
        }

        void calls(int number, int pid) throws IOException {
            int at = 4096 + number * 20_480;
            small(at + 4, pid);
            text(at + 8, "reader");
            number(at + 160, 9);
            number(at + 168, 100);
            number(at + 176, 4 * SECOND);
            number(at + 184, 3 * SECOND);
            number(at + 192, SECOND);
            small(at, 1);
        }

        void line(String device) throws IOException {
            int at = 4096 + 256 * 20_480;
            text(at + 8, device);
            small(at + 4096, 3);
            small(at + 4096 + 4, 1);
            small(at + 4096 + 2 * 24 + 4, 2);
            number(at + 4096 + 2 * 24 + 8, 8192);
            small(at, 2);
            number(24, 10 * SECOND);
            number(32, 10 * SECOND + 25_000_000);
        }
    }

    private ProgramReport written(boolean isSharedMemory) throws IOException {
        try (ReportFile file = ReportFile.create(folder.resolve("r"));
                FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            Writer writer = new Writer(channel);
            writer.calls(0, 17);
            writer.use(1, 17, "hda", 10, 0);
            writer.use(2, 18, "hda", 20, 4);
            writer.use(240, 0, "hdb", 1, 0);
            writer.line("hda");
            DaemonView view =
                    new DaemonView(
                            "hda",
                            Map.of("read_congested", 2L, "read_congested_ns", SECOND),
                            Map.of("process 17", 6L),
                            true,
                            1);
            return new ProgramReport(
                    List.of("reader", "<x>"),
                    137,
                    5,
                    file.activeS(),
                    isSharedMemory,
                    file.calls(),
                    file.uses(),
                    file.timelines(),
                    List.of(view));
        }
    }

    @Test
    void isOfItsOwnersAloneAndAllThereFromTheBeginning() throws IOException {
        Path path = folder.resolve("own");
        try (ReportFile file = ReportFile.create(path)) {
            assertThat(Files.size(path)).isEqualTo(4096 + 256 * 20_480L + 8 * 200_704L);
            assertThat(Files.getPosixFilePermissions(path)).hasSize(2);
            assertThat(file.uses()).isEmpty();
            assertThat(file.activeS()).isZero();
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void processesOfADeviceAreAddedUp() throws IOException {
        ProgramReport report = written(true);
        assertThat(report.uses()).hasSize(3);
        DeviceUse hda = report.devices().getFirst();
        assertThat(hda.of(Operation.READ).ended()).isEqualTo(30);
        assertThat(hda.of(Operation.READ).bytes()).isEqualTo(30 * 4096);
        assertThat(hda.of(Operation.WRITE).started()).isZero();
        assertThat(hda.pool().get(0)).isEqualTo(new PoolWaits(6, 4 * SECOND, SECOND));
        assertThat(hda.depths().get(2)).isEqualTo(30);
        assertThat(report.calls(CallKind.SUBMIT))
                .isEqualTo(new Calls(9, 100, 4 * SECOND, 3 * SECOND, SECOND));
        assertThat(report.offenders("hda")).isEqualTo(Map.of("reader (17)", 5L, "reader (18)", 5L));
    }

    @Test
    void depthIsWhatHasStartedAndNotEnded() throws IOException {
        Timeline line = written(true).timelines().getFirst();
        assertThat(line.device()).isEqualTo("hda");
        assertThat(line.spanS()).isEqualTo(0.01);
        assertThat(line.depth()).containsExactly(2L, 2L, 0L);
        assertThat(line.readBytes()).containsExactly(0L, 0L, 8192L);
    }

    @Test
    void theTextTellsAllOfIt() throws IOException {
        assertThat(ReportText.of(written(true)))
                .contains("ran 5.000 s, status 137, over shared memory")
                .containsPattern("io_submit +9 calls, 100 iocbs, 4.000 s.*3.000 s of it blocked")
                .containsPattern("read +30 +0.12 +4.92 +0 +30 +60 +0.001")
                .contains("4 more were in flight when their process ended")
                .contains("4-7: 30")
                .contains("6 waits for a free request to read, 4.000 s, longest 1.000 s")
                .contains("reads: set 2 times, for 1.000 s")
                .contains("reader (18) submitted 5 times while it was set")
                .contains("process 17 didn't honor the packet writer's congestion 6 times")
                .doesNotContain("NBD");
    }

    @Test
    void overNbdItSaysWhatIsNotKnown() throws IOException {
        assertThat(ReportText.of(written(false))).contains("over NBD", ReportText.NBD_LIMITS);
    }

    @Test
    void thePageHasThreePlotsAndEscapesTheProgram() throws IOException {
        String page = ReportPage.of(written(true));
        assertThat(page).contains("reader &lt;x&gt;").endsWith("</html>\n");
        assertThat(page).doesNotContain("<x>", "<script", "http://", "https://");
        assertThat(page.split("<svg", -1)).hasSize(1 + 3 + 1);
    }

    @Test
    void theFieldsAreThoseOfTheText() throws IOException {
        Map<String, Object> fields = ReportFields.of(written(true));
        assertThat(fields).containsEntry("status", 137).containsEntry("transport", "shm");
        assertThat(String.valueOf(fields.get("devices")))
                .contains(
                        "ended=30", "offenders={reader (17)=5", "read_congested=2", "span_s=0.01");
        assertThat(String.valueOf(fields.get("processes"))).contains("pid=18");
    }
}
