package dev.spindle.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.CongestionMarks;
import dev.spindle.block.QueueLimits;
import dev.spindle.queue.DeviceIdentity;
import dev.spindle.queue.QueueSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueFileTest {
    private static final DeviceIdentity IDENTITY =
            new DeviceIdentity(
                    "dvd",
                    "a drive",
                    0x1_2345_6000L,
                    new QueueLimits(2048, 2048, 32768, 512),
                    true,
                    true);

    @TempDir private Path folder;

    private byte[] file() throws IOException {
        return Files.readAllBytes(folder.resolve("dvd.queue"));
    }

    private ByteBuffer bytes() throws IOException {
        return ByteBuffer.wrap(file()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private QueueFile create() throws IOException {
        return QueueFile.create(
                folder.resolve("dvd.queue"), IDENTITY, QueueSettings.of(128, 512), 4711);
    }

    @Test
    void saysThatThereIsNoPoolWhateverElseChanges() throws IOException {
        try (QueueFile file = create()) {
            file.withoutPool();
            assertThat(bytes().getInt(40)).isEqualTo(3);
            file.readOnly(false);
            assertThat(bytes().getInt(40)).isEqualTo(2);
        }
    }

    @Test
    void hasEachFieldWhereTheShimReadsIt() throws IOException {
        try (QueueFile _ = create()) {
            ByteBuffer bytes = bytes();
            assertThat(bytes.capacity()).isEqualTo(4096);
            assertThat(new String(file(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo("SPNDLQ01");
            assertThat(bytes.getInt(8)).isEqualTo(1);
            assertThat(bytes.getInt(12)).isEqualTo(2);
            assertThat(bytes.getInt(16)).isEqualTo(128);
            assertThat(bytes.getInt(20)).isEqualTo(512);
            assertThat(bytes.getInt(24)).isEqualTo(1);
            assertThat(bytes.getInt(28)).isEqualTo(2048);
            assertThat(bytes.getLong(32)).isEqualTo(0x1_2345_6000L);
            assertThat(bytes.getInt(40)).isEqualTo(1);
            assertThat(bytes.getInt(44)).isEqualTo(4711);
            assertThat(bytes.getInt(48)).isZero();
            assertThat(Arrays.copyOfRange(file(), 52, 4096)).containsOnly(0);
        }
    }

    @Test
    void showsAChangeAtOnceUnderANewEvenGeneration() throws IOException {
        try (QueueFile file = create()) {
            file.update(new QueueSettings(1024, 64, false, CongestionMarks.ofRequests(1024)));
            ByteBuffer bytes = bytes();
            assertThat(bytes.getInt(12)).isEqualTo(4);
            assertThat(bytes.getInt(16)).isEqualTo(1024);
            assertThat(bytes.getInt(20)).isEqualTo(64);
            assertThat(bytes.getInt(24)).isZero();
        }
    }

    @Test
    void saysHowFastTheDevicesTimePasses() throws IOException {
        try (QueueFile file = create()) {
            file.timeScale(10_000);
            assertThat(bytes().getInt(48)).isEqualTo(10_000);
        }
    }

    @Test
    void takesThePlaceOfOneThatWasLeftBehind() throws IOException {
        Files.writeString(folder.resolve("dvd.queue"), "left behind");
        try (QueueFile _ = create()) {
            assertThat(bytes().getInt(16)).isEqualTo(128);
        }
    }

    @Test
    void isRemovedWhenClosedAndDeafAfterwards() throws IOException {
        QueueFile file = create();
        file.close();
        file.close();
        file.update(QueueSettings.of(64, 64));
        assertThat(folder).isEmptyDirectory();
    }
}
