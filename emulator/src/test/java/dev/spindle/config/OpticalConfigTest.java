package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Optical drives, their discs and packet writers: what is read and what is refused. */
final class OpticalConfigTest {
    private static final String DRIVE =
            """
            drives { b {
              kind = optical, medium = "dvd+rw", speed = 2.4x, max_hw_sectors_kb = 128
              read_access = 160ms, write_restart = 240ms, bus_rate = 20 MB/s
            } }
            """;
    private static final String DEVICE = "devices { a { drive = b } }\n";

    @TempDir Path folder;
    private ConfFixture conf = new ConfFixture(Path.of("."));

    @BeforeEach
    void makeFixture() {
        conf = new ConfFixture(folder);
    }

    private void refuses(String text, String... faults) {
        assertThat(conf.faults(text)).containsExactly(faults);
    }

    @Test
    void verifiesOnDvdRamUnlessToldNot() {
        assertThat(drive(DRIVE).verifies()).isFalse();
        String ram = DRIVE.replace("\"dvd+rw\"", "dvd-ram");
        assertThat(drive(ram).verifies()).isTrue();
        assertThat(drive(ram + "drives.b.verify = off\n").verifies()).isFalse();
    }

    private OpticalDriveConfig drive(String text) {
        return (OpticalDriveConfig) conf.device(text + DEVICE).drive();
    }

    @Test
    void knowsTheSpeedsItCanBeTunedTo() {
        assertThat(drive(DRIVE + "drives.b.write_speeds = 1x 2.4x\n").writeSpeeds())
                .containsExactly(1.0, 2.4);
        assertThat(conf.faults(DRIVE + "drives.b.write_speeds = 1x 4x\n" + DEVICE).getFirst())
                .contains("write_speeds: 1x 4x does not hold speed = 2.4x");
        assertThat(conf.faults(DRIVE + "drives.b.write_speeds = 1x fast\n" + DEVICE).getFirst())
                .contains("is not a speed such as 4x");
    }

    @Test
    void readsADriveWithItsDefaults() {
        DeviceConfig device = conf.device(DRIVE + DEVICE);
        assertThat(device.drive())
                .isEqualTo(
                        new OpticalDriveConfig(
                                "b",
                                "b",
                                128,
                                MediumType.DVD_PLUS_RW,
                                2.4,
                                List.of(2.4),
                                false,
                                2.4,
                                500_000,
                                160_000_000,
                                240_000_000,
                                0,
                                20_000_000,
                                2 << 20));
        assertThat(device.drive().logicalBlockBytes()).isEqualTo(2048);
        assertThat(device.sizeBytes()).isEqualTo(2_295_104L * 2048);
        assertThat(device.disc())
                .contains(
                        new DiscConfig(
                                DiscState.FORMATTED,
                                32768,
                                Optional.of(
                                        new PacketConfig(
                                                8,
                                                PacketPolicyKind.BLOCK,
                                                10_000,
                                                9_000,
                                                PacketSchedulerKind.AT_SEEK,
                                                5_000_000))));
    }

    @Test
    void readsADiscAndItsWriter() {
        DeviceConfig device =
                conf.device(
                        DRIVE
                                + DEVICE
                                + """
                                devices.a {
                                  size = 1 MiB, disc { state = write_protected, packet = 64 KiB }
                                  packet { packets = 3, policy = flag, congestion_on = 4096
                                    congestion_off = -1, scheduler = when_stuck, wait = 1ms }
                                }
                                """);
        assertThat(device.sizeBytes()).isEqualTo(1 << 20);
        DiscConfig disc = device.disc().orElseThrow();
        assertThat(disc.state()).isEqualTo(DiscState.WRITE_PROTECTED);
        assertThat(disc.packetBytes()).isEqualTo(65536);
        assertThat(disc.writer())
                .contains(
                        new PacketConfig(
                                3,
                                PacketPolicyKind.FLAG,
                                4096,
                                -1,
                                PacketSchedulerKind.WHEN_STUCK,
                                1_000_000));
    }

    @Test
    void thePacketWriterCanBeLeftOut() {
        DeviceConfig device = conf.device(DRIVE + DEVICE + "devices.a.packet.enabled = off");
        assertThat(device.disc().orElseThrow().writer()).isEmpty();
    }

    @Test
    void whatItPrintsLoadsAgain() {
        LoadedConfig loaded = conf.read(DRIVE + DEVICE);
        LoadedConfig again = conf.read(SettingsPrinter.asHocon(loaded.settings()));
        assertThat(again.config()).isEqualTo(loaded.config());
    }

    @Test
    void theShippedDiscsAreTheirMediumsSize() {
        DeviceConfig dvd = ShippedConfTest.device("dvd.conf");
        assertThat(dvd.name()).isEqualTo("dvd");
        assertThat(dvd.sizeBytes()).isEqualTo(MediumType.DVD_PLUS_RW.capacityBytes());
        Path file = ShippedConfTest.ROOT.resolve("conf/dvd.conf");
        for (String profile : new String[] {"cd-rw-4x", "dvd-rw-4x", "dvd-ram"}) {
            DeviceConfig other =
                    ConfigLoader.load(file, Map.of("devices.dvd.drive", profile))
                            .devices()
                            .getFirst();
            MediumType medium = ((OpticalDriveConfig) other.drive()).medium();
            assertThat(other.sizeBytes()).isEqualTo(medium.capacityBytes());
        }
    }

    @Test
    void refusesASpeedThatIsNone() {
        refuses(
                DRIVE.replace("2.4x", "fast") + DEVICE,
                "x.conf:2: drives.b.speed: \"fast\" is not a speed such as 4x, allowed 0.5x to"
                        + " 99x");
        refuses(
                DRIVE.replace("2.4x", "0.1x") + DEVICE,
                "x.conf:2: drives.b.speed: 0.1x is out of range, allowed 0.5x to 99x");
        refuses(
                DRIVE + "drives.b.max_read_speed = 2x\n" + DEVICE,
                "x.conf:5: drives.b.max_read_speed: 2x is less than speed = 2.4x");
    }

    @Test
    void refusesAMediumThatIsUnknown() {
        refuses(
                DRIVE.replace("dvd+rw", "dvd+r") + DEVICE,
                "x.conf:2: drives.b.medium: \"dvd+r\" is unknown, allowed cd-rw or dvd+rw or dvd-rw"
                        + " or dvd-ram");
    }

    @Test
    void refusesBlocksOfAnotherSizeAndADisksParts() {
        refuses(
                DRIVE + "drives.b { logical_block = 512 B\n rpm = 100 }\n" + DEVICE,
                "x.conf:6: drives.b.rpm: belongs to kind = disk",
                "x.conf:5: drives.b.logical_block: is 2 KiB on every optical medium");
    }

    @Test
    void refusesABufferWithoutRoom() {
        String drive = DRIVE.replace("dvd+rw", "cd-rw");
        assertThat(conf.faults(drive + "drives.b.buffer = 100 KiB\n" + DEVICE)).hasSize(1);
        DeviceConfig device = conf.device(drive + "drives.b.buffer = 128 KiB\n" + DEVICE);
        assertThat(((OpticalDriveConfig) device.drive()).bufferBytes()).isEqualTo(128 << 10);
    }

    @Test
    void refusesMoreThanADiscHoldsAndPartsOfPackets() {
        refuses(
                DRIVE + "devices { a { drive = b, size = 5 GiB } }",
                "x.conf:5: devices.a.size: 5 GiB is more than a disc holds, allowed up to"
                        + " 4482.625 MiB");
        refuses(
                DRIVE + "devices { a { drive = b, size = 34 KiB } }",
                "x.conf:5: devices.a.size: 34 KiB is not a multiple of the medium's packet of 32"
                        + " KiB");
    }

    @Test
    void refusesPacketsTheMediumCannotHave() {
        refuses(
                DRIVE + DEVICE + "devices.a.disc.packet = 16 KiB",
                "x.conf:6: devices.a.disc.packet: 16 KiB is no packet of the medium, allowed 0 or a"
                        + " power of two from 32 KiB");
    }

    @Test
    void refusesCommandsShorterThanAPacket() {
        refuses(
                DRIVE + DEVICE + "devices.a.queue.max_sectors_kb = 16",
                "x.conf:6: devices.a.queue.max_sectors_kb: 16 is less than a packet, allowed at"
                        + " least 32");
    }

    @Test
    void refusesDiscsInDrivesThatTakeNone() {
        refuses(
                ConfFixture.DRIVE
                        + "devices { a { drive = d, size = 1 MiB\n disc { }\n packet { } } }",
                "x.conf:3: devices.a.disc: belongs to a drive of kind = optical",
                "x.conf:4: devices.a.packet: belongs to a drive of kind = optical");
        refuses(
                ConfFixture.DRIVE + ConfFixture.DEVICE + "drives.d.medium = cd-rw",
                "x.conf:3: drives.d.medium: belongs to kind = optical");
    }

    @Test
    void tunesOneSettingAtATime() {
        PacketConfig writer = conf.device(DRIVE + DEVICE).disc().orElseThrow().writer().get();
        for (Tunable tunable : Tunable.values()) {
            String text =
                    switch (tunable) {
                        case PACKET_POLICY -> "none";
                        case PACKET_SCHEDULER -> "when_stuck";
                        case PACKET_CONGESTION_ON, PACKET_CONGESTION_OFF -> "7";
                        case PACKET_WAIT -> "1ms";
                        default -> "";
                    };
            assertThat(text.isEmpty()).as("%s", tunable).isEqualTo(!tunable.isOfPacketWriter());
            if (!text.isEmpty()) {
                PacketConfig tuned = writer.tuned(Map.of(tunable, tunable.parse(text)));
                assertThat(tuned).as("%s", tunable).isNotEqualTo(writer);
            }
        }
        assertThat(writer.tuned(Map.of(Tunable.NR_REQUESTS, Tunable.NR_REQUESTS.parse("9"))))
                .isEqualTo(writer);
    }
}
