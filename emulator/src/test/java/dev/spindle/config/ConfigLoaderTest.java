package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigLoaderTest {
    @TempDir Path folder;
    private ConfFixture conf = new ConfFixture(Path.of("."));

    @BeforeEach
    void makeFixture() {
        conf = new ConfFixture(folder);
    }

    @Test
    void givesTheDefaultsWhereNothingIsSaid() {
        SpindleConfig config = conf.load(ConfFixture.DRIVE + ConfFixture.DEVICE);
        assertThat(config.server())
                .isEqualTo(
                        new ServerConfig(
                                new TcpConfig(true, List.of("127.0.0.1"), 10809, TlsUse.OFF, false),
                                new UnixConfig(
                                        true,
                                        Optional.empty(),
                                        0600,
                                        Optional.empty(),
                                        Optional.empty(),
                                        TlsUse.OFF),
                                Optional.empty(),
                                new ShmConfig(
                                        true, Path.of("/dev/shm"), 256L << 20, 2048L << 20, 1024),
                                new LimitsConfig(
                                        10_000_000_000L,
                                        120_000_000_000L,
                                        64,
                                        32 << 20,
                                        8192,
                                        640 << 20,
                                        1536 << 20,
                                        0,
                                        4096)));
        assertThat(config.devices())
                .containsExactly(
                        new DeviceConfig(
                                "a",
                                Optional.empty(),
                                "/dev/a",
                                1 << 20,
                                false,
                                new MemoryStoreConfig(false),
                                new QueueConfig(
                                        128,
                                        128,
                                        ElevatorKind.NOOP,
                                        true,
                                        OptionalInt.empty(),
                                        OptionalInt.empty(),
                                        new WakeConfig(WakeOrder.FIFO, 1),
                                        new PlugConfig(false, 4, 3_000_000),
                                        ElevatorTunables.ofDefaults(),
                                        4096),
                                new NullDriveConfig("d", "d", 512, 512, 128),
                                Optional.empty(),
                                Optional.empty(),
                                new ClockConfig(1, 500_000)));
    }

    @Test
    void readsADiskWithAllItsParts() {
        DeviceConfig device =
                conf.device(ConfFixture.DISK + "devices { a { drive = k, size = 1 GiB } }");
        DiskDriveConfig disk = (DiskDriveConfig) device.drive();
        assertThat(disk.zones()).containsExactly(new ZoneConfig(10, 100, 5, 9));
        assertThat(disk.seek()).isEqualTo(new SeekCurveConfig(2_500_000, 12_000_000, 23_000_000));
        assertThat(disk.headSwitchNs()).isEqualTo(1_500_000);
        assertThat(disk.bus().readBytesPerSecond()).isEqualTo(66_000_000);
        assertThat(disk.cache()).isEqualTo(new CacheConfig(8 << 20, 16, true, true));
        assertThat(disk.overhead()).isEqualTo(new OverheadConfig(0, 0, 0, 0));
        assertThat(disk.naturalBytes()).isEqualTo(10 * 2 * 100 * 512);
    }

    @Test
    void readsASeekTable() {
        String text =
                ConfFixture.DISK.replaceFirst(
                        "seek \\{.*\\}",
                        "seek { table = [ { cylinders = 1, time = 2ms }, { cylinders = 9, time = 3ms } ] }");
        DeviceConfig device = conf.device(text + "devices { a { drive = k, size = 1 GiB } }");
        assertThat(((DiskDriveConfig) device.drive()).seek())
                .isEqualTo(
                        new SeekTableConfig(
                                java.util.List.of(
                                        new SeekPointConfig(1, 2_000_000),
                                        new SeekPointConfig(9, 3_000_000))));
    }

    @Test
    void takesAMemoryDeviceOfEightTebibytesAndOneOfNearlyEightExbibytes() {
        String text = "devices { a { drive = d, size = 8 TiB }, b { drive = d, size = 8191 PiB } }";
        assertThat(conf.load(ConfFixture.DRIVE + text).devices())
                .extracting(DeviceConfig::sizeBytes)
                .containsExactly(8L << 40, 8191L << 50);
    }

    @Test
    void prefersTheDevicesQueueToTheDrivesAndTheDrivesToTheDefault() {
        LoadedConfig loaded =
                conf.read(
                        """
                        drives { d { kind = null, max_hw_sectors_kb = 128
                          queue { nr_requests = 64, hard_cap = off } } }
                        devices { a { drive = d, size = 1 MiB, queue { nr_requests = 32 } } }
                        """);
        QueueConfig queue = loaded.config().devices().getFirst().queue();
        assertThat(queue.nrRequests()).isEqualTo(32);
        assertThat(queue.hardCap()).isFalse();
        assertThat(queue.ringSize()).isEqualTo(4096);
        assertThat(loaded.settings())
                .contains(
                        new Setting("devices.a.queue.nr_requests", "32", folder + "/x.conf:3"),
                        new Setting("devices.a.queue.hard_cap", "off", folder + "/x.conf:2"),
                        new Setting("devices.a.queue.ring_size", "4096", "default"));
    }

    @Test
    void readsAnImagePathFromTheFolderOfTheFileThatNamesIt() {
        conf.write(
                "sub/b.conf",
                "devices { a { drive = d, size = 1 MiB, store { type = file, path = a.img } } }");
        assertThat(conf.device(ConfFixture.DRIVE + "include \"sub/b.conf\"").store())
                .isEqualTo(new FileStoreConfig(folder.resolve("sub/a.img"), true));
    }

    @Test
    void includesFromTheFolderOfTheIncludingFileAtEveryDepth() {
        conf.write("drives/more/d.conf", ConfFixture.DRIVE);
        conf.write("drives/all.conf", "include \"more/d.conf\"");
        LoadedConfig loaded = conf.read("include \"drives/all.conf\"\n" + ConfFixture.DEVICE);
        assertThat(loaded.settings())
                .contains(new Setting("drives.d.kind", "null", folder + "/drives/more/d.conf:1"));
    }

    @Test
    void includesWithinASection() {
        conf.write("d.conf", "kind = null, max_hw_sectors_kb = 64");
        assertThat(
                        conf.device("drives { d { include \"d.conf\" } }\n" + ConfFixture.DEVICE)
                                .drive()
                                .maxHwSectorsKb())
                .isEqualTo(64);
    }

    @Test
    void letsAnOverrideWinAndSaysSo() {
        LoadedConfig loaded =
                ConfigLoader.read(
                        conf.write("x.conf", ConfFixture.DRIVE + ConfFixture.DEVICE),
                        Map.of("devices.a.queue.nr_requests", "1024", "devices.a.size", "2 MiB"));
        assertThat(loaded.config().devices().getFirst().queue().nrRequests()).isEqualTo(1024);
        assertThat(loaded.settings())
                .contains(
                        new Setting("devices.a.queue.nr_requests", "1024", "--set"),
                        new Setting("devices.a.size", "2 MiB", "--set"));
    }

    @Test
    void letsAnOverrideWinOverASubstitution() {
        String text =
                ConfFixture.DRIVE + "devices { b = { drive = d, size = 1 MiB }, a = ${devices.b} }";
        SpindleConfig config =
                ConfigLoader.load(conf.write("x.conf", text), Map.of("devices.a.size", "2 MiB"));
        assertThat(config.devices())
                .extracting(DeviceConfig::sizeBytes)
                .containsExactly(2L << 20, 1L << 20);
    }

    @Test
    void readsABareNullAsTheWord() {
        DeviceConfig device =
                conf.device(
                        """
                        drives { null { kind = null, max_hw_sectors_kb = 128 } }
                        devices { a { drive = null, size = 1 MiB } }
                        """);
        assertThat(device.drive().profile()).isEqualTo("null");
    }

    @Test
    void acceptsAnOpenHostWithInsecure() {
        String server = "server.tcp { host = 0.0.0.0, insecure = true }\n";
        assertThat(
                        conf.load(server + ConfFixture.DRIVE + ConfFixture.DEVICE)
                                .server()
                                .tcp()
                                .hosts())
                .containsExactly("0.0.0.0");
    }

    @Test
    void acceptsOpenHostsWhereTlsIsRequiredAndFindsItsFilesBesideTheConf() {
        String server =
                """
                server {
                  tcp { host = "0.0.0.0, ::", tls = required }
                  tls { certificate = c.pem, key = /k.pem, client_ca = d/ca.pem }
                }
                """;
        ServerConfig read = conf.load(server + ConfFixture.DRIVE + ConfFixture.DEVICE).server();
        assertThat(read.tcp().hosts()).containsExactly("0.0.0.0", "::");
        TlsConfig tls = read.tls().orElseThrow();
        assertThat(tls.key()).isEqualTo(Path.of("/k.pem"));
        assertThat(tls.certificate().getFileName()).isEqualTo(Path.of("c.pem"));
        assertThat(tls.certificate()).isAbsolute();
        assertThat(tls.clientCa().orElseThrow().endsWith("d/ca.pem")).isTrue();
    }

    @Test
    void takesTheWholeLoopbackRange() {
        for (String host : new String[] {"127.0.0.1", "127.9.8.7", "\"::1\"", "localhost"}) {
            String server = "server.tcp.host = " + host + "\n";
            assertThat(conf.load(server + ConfFixture.DRIVE + ConfFixture.DEVICE)).isNotNull();
        }
    }

    @Test
    void printsHoconThatGivesTheSameSettings() {
        LoadedConfig first =
                conf.read(
                        ConfFixture.DISK
                                + ConfFixture.DRIVE
                                + """
                                server.unix { path = "/tmp/s p.sock", mode = 0660 }
                                devices {
                                  a { drive = k, size = 1536 KiB, description = "a \\"b\\" # c"
                                      store { type = file, path = a.img } }
                                  "b.c" { drive = d, size = 512 }
                                }
                                """);
        SpindleConfig again = conf.load(SettingsPrinter.asHocon(first.settings()));
        assertThat(again).isEqualTo(first.config());
    }

    @Test
    void printsAlignedTextWithOrigins() {
        LoadedConfig loaded = conf.read(ConfFixture.DRIVE + ConfFixture.DEVICE);
        assertThat(SettingsPrinter.asText(loaded.settings()))
                .containsPattern("^server.tcp.enabled {31}on {11}default\n")
                .contains(
                        "\ndevices.a.size                                   1 MiB        "
                                + folder
                                + "/x.conf:2\n");
    }
}
