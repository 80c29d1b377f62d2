package dev.spindle.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.config.ElevatorKind;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.Submitter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A disk's files of /sys, by the kernel's formats and errors. */
class SysTreeTest {
    private static final String HDA = "devices/virtual/block/hda/";

    @TempDir private Path folder;
    private TunedDeviceFixture fixture;
    private SysTree tree;
    private ControlDesk desk;
    private final AtomicInteger settled = new AtomicInteger();

    @BeforeEach
    void open() throws IOException {
        fixture = new TunedDeviceFixture(folder, "disk");
        List<ControlledDevice> all = List.of(fixture.controlled);
        tree = new SysTree(all);
        desk =
                new ControlDesk(
                        all,
                        tree,
                        () -> Map.of("pid", 1),
                        () -> {
                            settled.incrementAndGet();
                            return CompletableFuture.completedFuture(null);
                        });
    }

    private ControlAnswer ask(ControlRequest.Attribute request) {
        return new ControlAnswer(desk.answer(request).join());
    }

    private String read(String path) {
        ControlAnswer answer = ask(ControlRequest.Attribute.read(path));
        return answer.isOk() ? answer.text("text") : answer.text("errno");
    }

    /** Nothing where it was taken, else the error. */
    private String write(String path, String value) {
        ControlAnswer answer = ask(ControlRequest.Attribute.write(path, value));
        return answer.isOk() ? "" : answer.text("errno");
    }

    @ParameterizedTest
    @CsvSource({
        "alignment_offset,0",
        "dev,43:0",
        "hidden,0",
        "removable,0",
        "ro,0",
        "size,2048",
        "queue/nr_requests,4",
        "queue/max_sectors_kb,64",
        "queue/max_hw_sectors_kb,128",
        "queue/logical_block_size,512",
        "queue/hw_sector_size,512",
        "queue/rotational,1",
        "queue/physical_block_size,512",
        "queue/minimum_io_size,512",
        "queue/optimal_io_size,4096",
        "queue/discard_granularity,512",
        "queue/zoned,none",
        "queue/write_cache,write back"
    })
    void showsWhatTheDeviceIs(String path, String text) {
        assertThat(read(HDA + path)).isEqualTo(text + '\n');
    }

    @Test
    void showsTheNumberThatTheProgramKnowsItBy() {
        ControlRequest.Attribute asked =
                new ControlRequest.Attribute(
                        HDA + "uevent", Optional.empty(), OptionalInt.of(7), List.of());
        assertThat(ask(asked).text("text"))
                .isEqualTo("MAJOR=43\nMINOR=7\nDEVNAME=hda\nDEVTYPE=disk\n");
    }

    @ParameterizedTest
    @CsvSource({
        "queue/nr_requests,1024,,1024",
        "queue/nr_requests,3,,4",
        "queue/nr_requests,0,,4",
        "queue/nr_requests,65536,,65536",
        "queue/nr_requests,65537,EINVAL,4",
        "queue/nr_requests,-1,EINVAL,4",
        "queue/nr_requests,x,EINVAL,4",
        "queue/max_sectors_kb,4,,4",
        "queue/max_sectors_kb,3,EINVAL,64",
        "queue/max_sectors_kb,128,,128",
        "queue/max_sectors_kb,129,EINVAL,64"
    })
    void takesANumberByTheKernelsRules(String path, String value, String errno, String after) {
        assertThat(write(HDA + path, value + '\n')).isEqualTo(errno == null ? "" : errno);
        assertThat(read(HDA + path)).isEqualTo(after + '\n');
    }

    @Test
    void changesTheQueueThatRuns() {
        assertThat(write(HDA + "queue/nr_requests", "64\n")).isEmpty();
        assertThat(fixture.told).containsExactly(QueueSettings.of(64, 64));
        assertThat(fixture.device.queue().settings().nrRequests()).isEqualTo(64);
        assertThat(settled).hasValue(1);
    }

    @Test
    void theSchedulerIsChosenByItsName() {
        String path = HDA + "queue/scheduler";
        assertThat(read(path)).isEqualTo("[noop] anticipatory deadline cfq \n");
        assertThat(write(path, " deadline \n")).isEmpty();
        assertThat(read(path)).isEqualTo("noop anticipatory [deadline] cfq \n");
        assertThat(fixture.controlled.elevator()).isEqualTo(ElevatorKind.DEADLINE);
        assertThat(write(path, "mq-deadline")).isEqualTo("EINVAL");
        assertThat(write(path, "")).isEqualTo("EINVAL");
        assertThat(read(path)).contains("[deadline]");
    }

    @Test
    void theTunablesAreThoseOfTheSchedulerInForce() {
        String expire = HDA + "queue/iosched/read_expire";
        assertThat(read(expire)).isEqualTo("ENOENT");
        write(HDA + "queue/scheduler", "deadline");
        assertThat(read(expire)).isEqualTo("500\n");
        assertThat(write(expire, "0x64\n")).isEmpty();
        assertThat(read(expire)).isEqualTo("100\n");
        assertThat(write(expire, "-5")).isEmpty();
        assertThat(read(expire)).as("the least").isEqualTo("0\n");
        assertThat(write(HDA + "queue/iosched/fifo_batch", "0")).isEmpty();
        assertThat(read(HDA + "queue/iosched/fifo_batch")).as("the least").isEqualTo("1\n");
        assertThat(write(expire, "1 ms")).isEqualTo("EINVAL");
        assertThat(write(expire, "9999999999")).isEqualTo("ERANGE");
        assertThat(SysTree.ioschedFiles("hda", ElevatorKind.NOOP)).isEmpty();
        assertThat(SysTree.ioschedFiles("hda", ElevatorKind.ANTICIPATORY))
                .contains(new SysFile(HDA + "queue/iosched/antic_expire", true, true));
    }

    @Test
    void requestsInTheQueueAreInFlight() {
        for (int i = 0; i < 3; i++) {
            BlockOperation operation = i == 0 ? BlockOperation.READ : BlockOperation.WRITE;
            BlockRequest request =
                    new BlockRequest((_, _) -> {})
                            .prepare(operation, i * 65536L, 4096, 0)
                            .withData(ByteBuffer.allocateDirect(4096), 0);
            assertThat(fixture.device.publish(request, Submitter.thatNeedsNoNews())).isTrue();
        }
        fixture.device.run();
        assertThat(read(HDA + "inflight")).isEqualTo("       1        2\n");
        String[] columns = read(HDA + "stat").strip().split(" +", -1);
        assertThat(columns).hasSize(17);
        assertThat(columns[8]).isEqualTo("3");
    }

    @Test
    void whatIsNotThereIsMissed() {
        for (String path :
                new String[] {
                    HDA + "nosuch",
                    HDA,
                    "devices/virtual/block/hdb/size",
                    "block/hda/size",
                    "",
                    "devices/virtual/pktcdvd/pktcdvd0/stat/reset",
                    "class/pktcdvd/nosuch"
                }) {
            assertThat(read(path)).as(path).isEqualTo("ENOENT");
        }
    }

    @Test
    void aFileIsReadOrWrittenAsItsModeSays() {
        assertThat(write(HDA + "size", "1")).isEqualTo("EACCES");
        assertThat(write("class/pktcdvd/device_map", "1")).isEqualTo("EACCES");
        assertThat(read("class/pktcdvd/add")).isEqualTo("EACCES");
        assertThat(write("class/pktcdvd/add", "43:0\n")).isEmpty();
        assertThat(write("class/pktcdvd/remove", "x")).isEqualTo("EINVAL");
        assertThat(read("class/pktcdvd/device_map")).isEqualTo("");
    }

    @Test
    void everyFileIsAnsweredFor() {
        assertThat(tree.files()).hasSizeGreaterThan(30);
        for (SysFile file : tree.files()) {
            assertThat(file.isReadable()).isTrue();
            assertThat(read(file.path())).as(file.path()).endsWith("\n");
        }
    }
}
