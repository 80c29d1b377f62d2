package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused of a device, and of two together. */
final class DeviceRefusalsTest {
    @TempDir Path folder;
    private ConfFixture conf = new ConfFixture(Path.of("."));

    @BeforeEach
    void makeFixture() {
        conf = new ConfFixture(folder);
    }

    private void refuses(String devices, String... faults) {
        assertThat(conf.faults(ConfFixture.DRIVE + "devices {\n" + devices + "\n}"))
                .containsExactly(faults);
    }

    @Test
    void refusesAFileWithoutDevices() {
        refuses("", "x.conf:2: devices: there is no device, write devices { NAME { ... } }");
    }

    @Test
    void refusesABadName() {
        refuses(
                "\"a b\" { drive = d, size = 1 MiB }",
                "x.conf:3: devices.\"a b\": is no name for a device, allowed 1 to 64 of a-z A-Z 0-9"
                        + " . _ -");
    }

    @Test
    void refusesTheFoldersOwnNames() {
        refuses(
                "\"..\" { drive = d, size = 1 MiB, path = /dev/x }",
                "x.conf:3: devices.\"..\": is no name for a device, allowed 1 to 64 of a-z A-Z 0-9"
                        + " . _ -");
    }

    @Test
    void refusesAnUnknownDriveAndListsTheKnown() {
        refuses(
                "a { drive = e, size = 1 MiB }",
                "x.conf:3: devices.a.drive: unknown drive e, known drives: d");
    }

    @Test
    void refusesAnUnknownDriveWhereThereAreNone() {
        assertThat(conf.faults("devices { a { drive = e, size = 1 MiB } }"))
                .containsExactly(
                        "x.conf:1: devices.a.drive: unknown drive e, there are no drives; include a"
                                + " profile");
    }

    @Test
    void refusesASizeThatIsNoMultipleOfTheBlock() {
        refuses(
                "a { drive = d, size = 1000 }",
                "x.conf:3: devices.a.size: 1000 B is not a multiple of the drive's logical_block ="
                        + " 512 B");
    }

    @Test
    void refusesASizeBeyondAllMeasure() {
        refuses(
                "a { drive = d, size = 8192 PiB }",
                "x.conf:3: devices.a.size: 8192 PiB is out of range, allowed 512 B to 8191 PiB");
    }

    @Test
    void refusesARelativeShimPath() {
        refuses(
                "a { drive = d, size = 1 MiB, path = dev/a }",
                "x.conf:3: devices.a.path: \"dev/a\" is not allowed, allowed an absolute path with"
                        + " no empty, . or .. part");
    }

    @Test
    void refusesAShimPathThatClimbs() {
        refuses(
                "a { drive = d, size = 1 MiB, path = /dev/../a }",
                "x.conf:3: devices.a.path: \"/dev/../a\" is not allowed, allowed an absolute path"
                        + " with no empty, . or .. part");
    }

    @Test
    void refusesMoreThanTheControllerMoves() {
        refuses(
                "a { drive = d, size = 1 MiB, queue { max_sectors_kb = 256 } }",
                "x.conf:3: devices.a.queue.max_sectors_kb: 256 is more than the drive's"
                        + " max_hw_sectors_kb, allowed 4 to 128");
    }

    @Test
    void refusesMarksThatCross() {
        refuses(
                "a { drive = d, size = 1 MiB, queue {\n congestion_on = 5\n congestion_off = 6 } }",
                "x.conf:5: devices.a.queue.congestion_off: 6 is more than congestion_on, allowed"
                        + " auto or 1 to 5");
    }

    @Test
    void refusesTooFewRequests() {
        refuses(
                "a { drive = d, size = 1 MiB, queue.nr_requests = 2 }",
                "x.conf:3: devices.a.queue.nr_requests: 2 is out of range, allowed 4 to 65536");
    }

    @Test
    void refusesARingThatIsNoPowerOfTwo() {
        refuses(
                "a { drive = d, size = 1 MiB, queue.ring_size = 100 }",
                "x.conf:3: devices.a.queue.ring_size: 100 is not a power of two, allowed a power of"
                        + " two from 64 to 65536");
    }

    @Test
    void refusesAnUnknownElevator() {
        refuses(
                "a { drive = d, size = 1 MiB, queue.elevator = bfq }",
                "x.conf:3: devices.a.queue.elevator: \"bfq\" is unknown, allowed noop or deadline or"
                        + " anticipatory or cfq");
    }

    @Test
    void refusesAMarkThatIsNoNumber() {
        refuses(
                "a { drive = d, size = 1 MiB, queue.congestion_on = many }",
                "x.conf:3: devices.a.queue.congestion_on: \"many\" is neither auto nor a whole"
                        + " number, allowed auto or 1 to 1000000");
    }

    @Test
    void refusesTwoDevicesAtOnePath() {
        refuses(
                "a { drive = d, size = 1 MiB }\n b { drive = d, size = 1 MiB\n path = /dev/a }",
                "x.conf:5: devices.b.path: /dev/a is already the path of devices.a");
    }

    @Test
    void refusesAnImagePathForMemory() {
        refuses(
                "a { drive = d, size = 1 MiB, store { path = x } }",
                "x.conf:3: devices.a.store.path: belongs to type = file");
    }

    @Test
    void refusesHugePagesForAnImage() {
        refuses(
                "a { drive = d, size = 1 MiB, store { type = file, path = x, huge_pages = on } }",
                "x.conf:3: devices.a.store.huge_pages: belongs to type = memory");
    }

    @Test
    void refusesAFileStoreWithoutAPath() {
        refuses(
                "a { drive = d, size = 1 MiB, store { type = file } }",
                "x.conf:3: devices.a.store.path: is missing, allowed a path");
    }

    @Test
    void refusesAFolderForAnImage() {
        refuses(
                "a { drive = d, size = 1 MiB, store { type = file, path = . } }",
                "x.conf:3: devices.a.store.path: " + folder + " is a folder, not an image");
    }

    @Test
    void refusesAMissingImageThatMayNotBeCreated() {
        refuses(
                "a { drive = d, size = 1 MiB, store { type = file, path = no, create = off } }",
                "x.conf:3: devices.a.store.path: no does not exist and create = off");
    }

    @Test
    void refusesAnImageInAMissingFolder() {
        refuses(
                "a { drive = d, size = 1 MiB, store { type = file, path = no/x } }",
                "x.conf:3: devices.a.store.path: no/x cannot be created, its folder does not exist");
    }

    @Test
    void refusesOneImageForTwoDevices() {
        refuses(
                "a { drive = d, size = 1 MiB, store { type = file, path = i } }\n"
                        + "b { drive = d, size = 1 MiB, store { type = file, path = ./i } }",
                "x.conf:4: devices.b.store.path: i is already the image of devices.a");
    }

    @Test
    void refusesOneImageUnderTwoLinks() throws IOException {
        Path image = conf.write("i", "");
        Files.createSymbolicLink(folder.resolve("soft"), image);
        Files.createLink(folder.resolve("hard"), image);
        refuses(
                "a { drive = d, size = 1 MiB, store { type = file, path = soft } }\n"
                        + "b { drive = d, size = 1 MiB, store { type = file, path = hard } }",
                "x.conf:4: devices.b.store.path: hard is already the image of devices.a");
    }
}
