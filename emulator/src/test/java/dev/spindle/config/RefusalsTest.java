package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every refusal of a file, an override or a key on its own. */
final class RefusalsTest {
    private static final String SOUND = ConfFixture.DRIVE + ConfFixture.DEVICE;

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
    void refusesAMissingFile() {
        assertThat(conf.faultsOf(folder.resolve("no.conf"), Map.of()))
                .containsExactly("no.conf: no such file");
    }

    @Test
    void refusesAFolder() {
        conf.write("sub/x", "");
        assertThat(conf.faultsOf(folder.resolve("sub"), Map.of()))
                .containsExactly("sub: is not a file");
    }

    @Test
    void refusesWhatIsNoTextInUtf8() throws IOException {
        Path file = folder.resolve("latin.conf");
        Files.write(file, "# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(conf.faultsOf(file, Map.of()))
                .containsExactly("latin.conf: is not text in UTF-8");
        Files.write(file, "# caf\u00e9\n".getBytes(StandardCharsets.UTF_16));
        assertThat(conf.faultsOf(file, Map.of()))
                .containsExactly("latin.conf: is not text in UTF-8");
    }

    @Test
    void refusesToIncludeAFolderAndSaysWhere() {
        conf.write("sub/x", "");
        refuses("\ninclude \"sub\"", "x.conf:2: include \"sub\": is not a file: sub");
    }

    @Test
    void refusesANumberOfManyDigitsForItsSize() {
        refuses(
                SOUND + "server.tcp.port = " + "9".repeat(30),
                "x.conf:3: server.tcp.port: "
                        + "9".repeat(30)
                        + " is out of range, allowed 0 to 65535");
    }

    @Test
    void showsTheBeginningOfAnEndlessValueAndWhatIsAllowed() {
        assertThat(conf.faults(SOUND + "server.tcp.port = x" + "y".repeat(10_000)))
                .singleElement()
                .asString()
                .startsWith("x.conf:3: server.tcp.port: \"xyyy")
                .endsWith("yyy\" is not a whole number, allowed 0 to 65535")
                .hasSizeLessThan(500);
    }

    @Test
    void refusesAFileOfMoreThanAMebibyte() {
        refuses("#".repeat((1 << 20) + 1), "x.conf: is larger than 1 MiB");
    }

    @Test
    void refusesBrokenSyntaxWithItsLine() {
        assertThat(conf.faults("server {\n  tcp { port = 1 ]\n}\n"))
                .singleElement()
                .asString()
                .startsWith("x.conf:2: ")
                .doesNotContain("\n");
    }

    @Test
    void refusesABracketLeftOpen() {
        refuses(
                "devices { a {\n drive = d }\n",
                "x.conf:3: the file ends where a }, ] or ) is still open");
        refuses("server {", "x.conf:1: the file ends where a }, ] or ) is still open");
    }

    @Test
    void refusesAnUnclosedQuote() {
        assertThat(conf.faults("devices { a { drive = \"d } }\n"))
                .singleElement()
                .asString()
                .startsWith("x.conf:1: ")
                .doesNotContain("if you intended");
    }

    @Test
    void placesAMissingKeyOfASectionThatAnOverrideAddsTo() {
        assertThat(
                        conf.faults(
                                ConfFixture.DRIVE + "devices { a {\n drive = d } }",
                                Map.of("devices.a.read_only", "on")))
                .containsExactly("x.conf:3: devices.a.size: is missing, allowed 512 B to 8191 PiB");
    }

    @Test
    void refusesNestingBeyondReason() {
        refuses("a=" + "[".repeat(200_000), "x.conf: is nested too deeply");
    }

    @Test
    void refusesAnUnresolvedSubstitution() {
        assertThat(conf.faults(SOUND + "server.tcp.port = ${nowhere}"))
                .singleElement()
                .asString()
                .startsWith("x.conf:3: Could not resolve substitution");
    }

    @Test
    void refusesAMissingInclude() {
        refuses(
                "# one\ninclude \"drives/no.conf\"\n",
                "x.conf:2: include \"drives/no.conf\": no such file: drives/no.conf");
    }

    @Test
    void refusesAMissingIncludeHoweverItIsWritten() {
        refuses(
                "include file(\"no.conf\")",
                "x.conf:1: include \"no.conf\": no such file: no.conf");
        refuses(
                "include required(\"no.conf\")",
                "x.conf:1: include \"no.conf\": no such file: no.conf");
    }

    @Test
    void guessesNoExtensionForAnInclude() {
        conf.write("d.conf", ConfFixture.DRIVE);
        refuses("include \"d\"", "x.conf:1: include \"d\": no such file: d");
    }

    @Test
    void refusesToIncludeWhatIsNoFile() {
        refuses("include classpath(\"x\")", "x.conf:1: include \"x\": only files can be included");
        refuses(
                "include url(\"http://localhost/x\")",
                "x.conf:1: include \"http://localhost/x\": only files can be included");
    }

    @Test
    void refusesAFileThatIncludesItself() {
        refuses("include \"x.conf\"", "x.conf:1: include \"x.conf\": includes itself");
    }

    @Test
    void namesTheIncludedFileOfAFault() {
        conf.write("d.conf", "drives { d {\n kind = null\n max_hw_sectors_kb = 1\n} }");
        refuses(
                "include \"d.conf\"\n" + ConfFixture.DEVICE,
                "d.conf:3: drives.d.max_hw_sectors_kb: 1 is out of range, allowed 4 to 65536");
    }

    @Test
    void refusesAnOverrideOutOfRange() {
        assertThat(conf.faults(SOUND, Map.of("devices.a.queue.nr_requests", "2")))
                .containsExactly(
                        "--set: devices.a.queue.nr_requests: 2 is out of range, allowed 4 to"
                                + " 65536");
    }

    @Test
    void refusesAnOverrideOfAnUnknownKey() {
        assertThat(conf.faults(SOUND, Map.of("devices.a.queue.nr_request", "2")))
                .containsExactly(
                        "--set: devices.a.queue.nr_request: unknown key, did you mean"
                                + " nr_requests?");
    }

    @Test
    void refusesAnOverrideWithABrokenPath() {
        assertThat(conf.faults(SOUND, Map.of("devices..a", "2")))
                .containsExactly("--set: devices..a: is not a key");
    }

    @Test
    void refusesAnUnknownKeyWithTheNearestKnownOne() {
        refuses(SOUND + "servr { }", "x.conf:3: servr: unknown key, did you mean server?");
    }

    @Test
    void refusesAKeyInTheWrongSectionWithTheRightOne() {
        refuses(
                SOUND + "devices.a.nr_requests = 5",
                "x.conf:3: devices.a.nr_requests: unknown key, did you mean queue.nr_requests?");
    }

    @Test
    void refusesAnUnknownKeyThatResemblesNoneWithAll() {
        refuses(
                SOUND + "server.tcp.zzzzzzzz = 5",
                "x.conf:3: server.tcp.zzzzzzzz: unknown key, known here: enabled, host, port,"
                        + " tls, insecure");
    }

    @Test
    void refusesAnUnknownKeyInADrivesQueue() {
        refuses(
                SOUND + "drives.d.queue.ring = 5",
                "x.conf:3: drives.d.queue.ring: unknown key, known here: nr_requests,"
                        + " max_sectors_kb, elevator, hard_cap, congestion_on, congestion_off,"
                        + " ring_size, wake_order, wake_seed, plug, unplug_threshold, unplug_delay,"
                        + " deadline, anticipatory, cfq");
    }

    @Test
    void refusesAMissingKey() {
        refuses(
                ConfFixture.DRIVE + "\ndevices {\n a {\n drive = d\n } }",
                "x.conf:4: devices.a.size: is missing, allowed 512 B to 8191 PiB");
    }

    @Test
    void refusesASectionForAValue() {
        refuses(
                SOUND + "server.tcp.port { }",
                "x.conf:3: server.tcp.port: is a section { ... }, not a value");
    }

    @Test
    void refusesAListForAValue() {
        refuses(
                SOUND + "server.tcp.port = [1]",
                "x.conf:3: server.tcp.port: is a list [ ... ], not a value");
    }

    @Test
    void refusesAValueForASection() {
        refuses(
                SOUND + "server.tcp = on",
                "x.conf:3: server.tcp: is not a section, write tcp { ... }");
    }

    @Test
    void refusesABareNullForANumber() {
        refuses(
                SOUND + "server.tcp.port = null",
                "x.conf:3: server.tcp.port: \"null\" is not a whole number, allowed 0 to 65535");
    }

    @Test
    void refusesAFlagThatIsNeitherOnNorOff() {
        refuses(
                SOUND + "devices.a.read_only = maybe",
                "x.conf:3: devices.a.read_only: \"maybe\" is neither on nor off, allowed on or"
                        + " off");
    }

    @Test
    void refusesAModeThatIsNotOctal() {
        refuses(
                SOUND + "server.unix.mode = 0680",
                "x.conf:3: server.unix.mode: \"0680\" is not a file mode, allowed 0000 to 0777,"
                        + " octal");
    }

    @Test
    void refusesARelativeSocketPath() {
        refuses(
                SOUND + "server.unix.path = here",
                "x.conf:3: server.unix.path: \"here\" is not allowed, allowed auto or an absolute"
                        + " path of at most 107 characters");
    }

    @Test
    void refusesAHostOthersCanReachAndSaysWhy() {
        refuses(
                SOUND + "server.tcp.host = 0.0.0.0",
                "x.conf:3: server.tcp.host: 0.0.0.0 is outside the loopback range, allowed"
                        + " 127.0.0.0/8, ::1 or localhost: without TLS NBD has neither"
                        + " encryption nor log-in, so whoever reaches the port reads and writes every"
                        + " device; server.tcp.tls = required prevents that, server.tcp.insecure = on"
                        + " accepts it");
    }

    @Test
    void tlsThatIsOptionalGuardsNothing() {
        String files = "\nserver.tls { certificate = c, key = k }";
        assertThat(conf.faults(SOUND + "server.tcp { host = \"::\", tls = optional }" + files))
                .singleElement()
                .asString()
                .contains(":: is outside the loopback range");
    }

    @Test
    void refusesTlsWithoutAnIdentity() {
        String needs = "x.conf:3: server: TLS needs server.tls.certificate and server.tls.key";
        refuses(SOUND + "server.tcp.tls = required", needs);
        refuses(SOUND + "server.unix.tls = optional", needs);
        refuses(
                SOUND + "server.tls.client_ca = ca.pem",
                "x.conf:3: server.tls: certificate and key are both needed");
        refuses(
                SOUND + "server.tls.certificate = c.pem",
                "x.conf:3: server.tls: certificate and key are both needed");
    }

    @Test
    void refusesHostsThatAreNone() {
        for (String hosts : new String[] {"\"127.0.0.1,\"", "\"a b\"", "\"\""}) {
            assertThat(conf.faults(SOUND + "server.tcp.host = " + hosts))
                    .singleElement()
                    .asString()
                    .endsWith("allowed host names or addresses, with commas between, at most 16");
        }
        assertThat(conf.faults(SOUND + "server.tcp.host = \"127.0.0.1, 127.0.0.1\""))
                .singleElement()
                .asString()
                .endsWith("names a host twice");
    }

    @Test
    void refusesAnOwnerThatCannotBeOne() {
        refuses(
                SOUND + "server.unix.group = \"a b\"",
                "x.conf:3: server.unix.group: \"a b\" is not allowed, allowed keep, a name or a"
                        + " number");
    }

    @Test
    void refusesADaemonNobodyCouldReach() {
        refuses(
                SOUND + "server { tcp.enabled = off, unix.enabled = off }",
                "x.conf:3: server: tcp and unix are both disabled, nobody could connect");
    }

    @Test
    void refusesLessInFlightThanOneRequest() {
        refuses(
                SOUND + "server.limits.bytes_in_flight = 1 MiB",
                "x.conf:3: server.limits.bytes_in_flight: 1 MiB does not hold one request of"
                        + " max_request = 32 MiB");
    }

    @Test
    void refusesMemoryForLessThanFourOfTheLongestRequests() {
        refuses(
                SOUND + "server.limits { max_request = 64 MiB, memory = 255 MiB }",
                "x.conf:3: server.limits.memory: 255 MiB is less than four times max_request ="
                        + " 64 MiB");
    }

    @Test
    void reportsAllFaultsTogether() {
        refuses(
                """
                server.tcp.port = 65536
                drives { d { kind = null, max_hw_sectors_kb = 128, rpm = 4200 } }
                devices { a { drive = d, size = 1000, queue { nr_requests = 2, ring_size = 100 } } }
                """,
                "x.conf:1: server.tcp.port: 65536 is out of range, allowed 0 to 65535",
                "x.conf:2: drives.d.rpm: belongs to kind = disk",
                "x.conf:3: devices.a.queue.nr_requests: 2 is out of range, allowed 4 to 65536",
                "x.conf:3: devices.a.queue.ring_size: 100 is not a power of two, allowed a power of"
                        + " two from 64 to 65536");
    }

    @Test
    void refusesAFileThatMayNotBeRead() throws IOException {
        Path file = conf.write("x.conf", SOUND);
        Files.setPosixFilePermissions(file, java.util.Set.of());
        if (!Files.isReadable(file)) {
            assertThat(conf.faultsOf(file, Map.of())).containsExactly("x.conf: may not be read");
        }
    }
}
