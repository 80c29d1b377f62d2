package dev.spindle.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DriveSettings;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.Submitter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuningTest {
    @TempDir private Path folder;
    private TunedDeviceFixture fixture;
    private ControlDesk desk;

    @BeforeEach
    void openDisk() throws IOException {
        open("disk");
    }

    private void open(String kind) throws IOException {
        fixture = new TunedDeviceFixture(folder, kind);
        desk = new ControlDesk(List.of(fixture.controlled), () -> Map.of("pid", 1));
    }

    private ControlAnswer tune(Map<String, String> settings) {
        return new ControlAnswer(desk.answer(new ControlRequest.Tune("hda", settings)).join());
    }

    private ControlAnswer stat() {
        return new ControlAnswer(desk.answer(new ControlRequest.Stat(Optional.empty())).join())
                .objects("devices")
                .getFirst();
    }

    private QueueSettings inForce() {
        return fixture.device.queue().settings();
    }

    @Test
    void changesTheQueueAndTellsTheQueueFile() {
        ControlAnswer answer = tune(Map.of("queue/nr_requests", "64", "max_sectors_kb", "8"));
        assertThat(answer.isOk()).isTrue();
        assertThat(inForce()).isEqualTo(QueueSettings.of(64, 8));
        assertThat(fixture.told).containsExactly(QueueSettings.of(64, 8));
        assertThat(answer.object("settings").whole("queue/nr_requests")).isEqualTo(64);
    }

    @Test
    void letsTimePassFasterWithoutAJump() {
        fixture.wall.advanceTo(2_000_000_000);
        assertThat(tune(Map.of("time_scale", "10")).object("settings").text("time_scale"))
                .isEqualTo("10");
        assertThat(stat().number("device_time_s")).isEqualTo(2);
        fixture.wall.advanceTo(3_000_000_000L);
        assertThat(stat().number("device_time_s")).isEqualTo(12);
        assertThat(fixture.scales).containsExactly(10_000);
        assertThat(tune(Map.of("time_scale", "0.001")).text("error"))
                .isEqualTo("time_scale: 0.001 is out of range, allowed 0.01 to 100");
        assertThat(tune(Map.of("time_scale", "1.2345")).text("error"))
                .contains("more than three decimals");
    }

    @Test
    void aDiskHasNoDiscAndNoSpeed() {
        assertThat(tune(Map.of("drive/speed", "4x")).text("error"))
                .isEqualTo("drive/speed: the drive of hda (d) is no burner");
        var answer = desk.answer(new ControlRequest.Disc("hda", "format")).join();
        assertThat(answer.get("error")).isEqualTo("disc: the drive of hda (d) is no burner");
    }

    @Test
    void wakesThoseWhoWaitAtOnce() {
        int[] woken = new int[1];
        Submitter submitter = new Submitter(() -> woken[0]++);
        ByteBuffer data = ByteBuffer.allocateDirect(512);
        for (int i = 0; i < 50; i++) {
            BlockRequest request = new BlockRequest((_, _) -> {});
            request.prepare(BlockOperation.WRITE, i * 2048L, 512, i).withData(data, 0);
            fixture.device.publish(request, submitter);
        }
        fixture.device.run();
        assertThat(stat().object("state").whole("writers_asleep")).isOne();
        tune(Map.of("queue/nr_requests", "128"));
        assertThat(woken[0]).isOne();
        assertThat(stat().object("state").whole("writers_asleep")).isZero();
        assertThat(stat().object("state").whole("write_requests")).isEqualTo(50);
    }

    @Test
    void appliesAllOrNothing() {
        ControlAnswer answer =
                tune(Map.of("queue/nr_requests", "64", "queue/max_sectors_kb", "4096"));
        assertThat(answer.isOk()).isFalse();
        assertThat(answer.text("error"))
                .isEqualTo(
                        "queue/max_sectors_kb: 4096 is more than the drive's max_hw_sectors_kb,"
                                + " allowed 4 to 128");
        assertThat(inForce().nrRequests()).isEqualTo(4);
        assertThat(tune(Map.of("drive/write_back", "off", "nr_requests", "1")).isOk()).isFalse();
        assertThat(fixture.device.queue().driveSettings()).isEqualTo(new DriveSettings(true, true));
        assertThat(fixture.told).isEmpty();
    }

    @Test
    void checksBothMarksTogether() {
        tune(Map.of("congestion_on", "200", "congestion_off", "150"));
        assertThat(tune(Map.of("congestion_on", "50", "congestion_off", "40")).isOk()).isTrue();
        assertThat(inForce().marks().on()).isEqualTo(50);
        assertThat(tune(Map.of("congestion_off", "60")).text("error"))
                .contains("60 is more than congestion_on");
        assertThat(tune(Map.of("congestion_on", "30")).text("error"))
                .contains("30 is less than congestion_off");
    }

    @Test
    void leavesMarksToTheFormulaUntilOneIsSet() {
        tune(Map.of("nr_requests", "128"));
        assertThat(inForce().marks().on()).isEqualTo(113);
        tune(Map.of("congestion_on", "90"));
        assertThat(inForce().marks().off()).isEqualTo(90);
        tune(Map.of("congestion_on", "auto"));
        assertThat(inForce()).isEqualTo(QueueSettings.of(128, 64));
        assertThat(stat().object("settings").text("queue/congestion_on")).isEqualTo("auto");
    }

    @Test
    void switchesTheDrivesCache() {
        tune(Map.of("drive/write_back", "off"));
        assertThat(fixture.device.queue().driveSettings())
                .isEqualTo(new DriveSettings(true, false));
        tune(Map.of("read_ahead", "off"));
        assertThat(fixture.device.queue().driveSettings())
                .isEqualTo(new DriveSettings(false, false));
        assertThat(stat().object("settings").text("drive/read_ahead")).isEqualTo("off");
    }

    @Test
    void refusesToSwitchACacheThatIsNotThere() throws IOException {
        open("null");
        assertThat(tune(Map.of("drive/write_back", "on")).text("error"))
                .isEqualTo("drive/write_back: the drive of hda (d) has no cache");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue/nr_request|64|did you mean queue/nr_requests?",
                "nr_requests|many|queue/nr_requests: \"many\"",
                "nr_requests|3|allowed 4 to 65536",
                "hard_cap|perhaps|queue/hard_cap",
                "elevator|bfq|noop"
            })
    void namesTheKeyAndWhatIsAllowed(String key, String value, String why) {
        ControlAnswer answer = tune(Map.of(key, value));
        assertThat(answer.isOk()).isFalse();
        assertThat(answer.text("error")).contains(why).doesNotContain("\n");
    }

    @Test
    void refusesOneKeyUnderTwoNames() {
        assertThat(tune(Map.of("nr_requests", "64", "queue/nr_requests", "32")).text("error"))
                .isEqualTo("queue/nr_requests: given twice");
    }

    @Test
    void namesTheDevicesThereAreForOneThatIsNot() {
        ControlRequest request = new ControlRequest.Stat(Optional.of("hdb"));
        assertThat(desk.answer(request).join())
                .containsEntry("ok", false)
                .containsEntry("error", "no device hdb, there is hda");
    }

    @Test
    void hasNothingToResetWhereThereIsNoPacketWriter() {
        assertThat(desk.answer(new ControlRequest.Reset("hda")).join())
                .containsEntry("ok", false)
                .containsEntry("error", "stat/reset: hda has no packet writer");
        assertThat(desk.answer(new ControlRequest.Reset("hdb")).join())
                .containsEntry("error", "no device hdb, there is hda");
    }

    @Test
    void showsEveryCounterAndLatency() {
        ControlAnswer stat = stat();
        assertThat(stat.object("counters").fields()).hasSize(17).containsEntry("sleeps", 0L);
        assertThat(stat.object("latencies_us").fields())
                .containsOnlyKeys(
                        "read_wait", "read_total", "write_wait", "write_total", "lateness");
        assertThat(stat.object("latencies_us").object("read_wait").fields())
                .containsOnlyKeys("count", "mean", "p50", "p99", "max");
        assertThat(stat.whole("allocated_bytes")).isEqualTo(4096);
        assertThat(stat.texts("addresses")).containsExactly("nbd://127.0.0.1:10809/hda");
    }
}
