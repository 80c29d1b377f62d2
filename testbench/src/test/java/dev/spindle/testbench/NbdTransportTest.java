package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS, standard input and socket activation, with the programs that use them. */
class NbdTransportTest {
    @TempDir static Path folder;
    private static Path conf;
    private static Path pki;
    private static Path data;

    @BeforeAll
    static void prepare() throws IOException {
        pki = Certificates.in(folder.resolve("pki")).folder();
        conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%s/conf/drives/null.conf"
                server.tls { certificate = pki/server-cert.pem, key = pki/server-key.pem }
                devices { disk { drive = null, size = 8 MiB, store { type = memory } } }
                """
                        .formatted(Tools.home()));
        byte[] bytes = new byte[8 << 20];
        new SplittableRandom(1).nextBytes(bytes);
        data = Files.write(folder.resolve("data"), bytes);
    }

    private static Daemon serve(String... settings) {
        return Daemon.serve(conf, folder, settings);
    }

    /** Tools find a client's certificate in its folder by themselves. */
    private static String withCertificates(String uri) {
        return uri + (uri.contains("?") ? "&" : "?") + "tls-certificates=" + pki;
    }

    @ParameterizedTest
    @ValueSource(strings = {"server.tls.client_ca=pki/ca-cert.pem", "server.limits.idle=30s"})
    void nbdcopyAndQemuGoThroughTls(String setting) throws IOException {
        Tools.require("nbdinfo", "nbdcopy", "qemu-img");
        String absolute = setting.replace("pki/", pki + "/");
        try (Daemon daemon = serve("--set", "server.tcp.tls=required", "--set", absolute)) {
            int port = daemon.tcpPort();
            String uri = withCertificates("nbds://127.0.0.1:" + port + "/disk");
            assertThat(Command.of("nbdinfo", uri).succeed().output()).contains("with TLS");
            Command.of("nbdcopy", data.toString(), uri).succeed();
            Path back = folder.resolve("back");
            Command.of("nbdcopy", uri, back.toString()).succeed();
            assertThat(Files.mismatch(data, back)).isEqualTo(-1);
            Files.delete(back);
            qemuCompares(port);
            Command.Outcome clear =
                    Command.of("nbdinfo", "nbd://127.0.0.1:" + port + "/disk").run();
            assertThat(clear.status()).as(clear.toString()).isNotZero();
        }
    }

    private static void qemuCompares(int port) {
        String there =
                "driver=raw,file.driver=nbd,file.host=127.0.0.1,file.port="
                        + port
                        + ",file.export=disk,file.tls-creds=t";
        Command.of("qemu-img", "compare", "--image-opts")
                .and("--object", "tls-creds-x509,id=t,endpoint=client,dir=" + pki)
                .and(there, "driver=raw,file.driver=file,file.filename=" + data)
                .succeed();
    }

    @Test
    void aClientWithoutACertificateStaysOutside() throws IOException {
        Tools.require("nbdinfo");
        Path stranger = Files.createDirectory(folder.resolve("stranger"));
        Files.copy(pki.resolve("ca-cert.pem"), stranger.resolve("ca-cert.pem"));
        String[] settings = {
            "--set",
            "server.tcp.tls=required",
            "--set",
            "server.tls.client_ca=" + pki + "/ca-cert.pem"
        };
        try (Daemon daemon = serve(settings)) {
            String uri =
                    "nbds://127.0.0.1:" + daemon.tcpPort() + "/disk?tls-certificates=" + stranger;
            Command.Outcome outcome = Command.of("nbdinfo", uri).run();
            assertThat(outcome.status()).as(outcome.toString()).isNotZero();
            String known = withCertificates("nbds://127.0.0.1:" + daemon.tcpPort() + "/disk");
            Command.of("nbdinfo", known).succeed();
        }
    }

    @Test
    void badTlsFilesAreOneLineEach() {
        assertRefused("server.tls.certificate=/none.pem", "/none.pem does not exist");
        assertRefused(
                "server.tls.key=" + pki + "/client-key.pem", "client-key.pem does not belong");
        assertRefused("server.tls.certificate=" + conf, "test.conf is no PEM file");
    }

    private static void assertRefused(String setting, String part) {
        Command.Outcome outcome =
                Daemon.inRuntimeFolder(
                                Command.of(Tools.launcher(), "serve", conf.toString())
                                        .and("--port", "0", "--set", "server.tcp.tls=required")
                                        .and("--set", setting),
                                folder)
                        .run();
        assertThat(outcome.status()).as(outcome.toString()).isNotZero();
        assertThat(outcome.errors().lines()).as(outcome.toString()).hasSize(1);
        assertThat(outcome.errors()).startsWith("spindle: ").contains(part);
    }

    private static Command python(String script) {
        return Daemon.inRuntimeFolder(
                Command.of("/usr/bin/python3", "-c", script, Tools.launcher(), conf.toString())
                        .and(pki.toString()),
                folder);
    }

    /** What libnbd's interop programs do, on nbd_connect_command: a socket on 0 and 1. */
    @Test
    void servesLibnbdOnStandardInputInTheClearAndInTls() {
        Tools.require("nbdsh");
        String script =
                """
                import nbd, sys
                command = [sys.argv[1], "serve", sys.argv[2], "--stdio"]
                h = nbd.NBD()
                h.connect_command(command)
                assert h.get_size() == 8 << 20
                h.pwrite(b"x" * 512, 0)
                assert h.pread(512, 0) == b"x" * 512
                h.shutdown()
                t = nbd.NBD()
                t.set_tls(nbd.TLS_REQUIRE)
                t.set_tls_certificates(sys.argv[3])
                t.set_tls_verify_peer(False)
                t.connect_command(command + ["--set", "server.unix.tls=required"])
                assert t.get_tls_negotiated()
                assert t.get_size() == 8 << 20
                t.shutdown()
                """;
        python(script).succeed();
    }

    /** As a shell or ssh gives them; the input ends before the replies are read. */
    @Test
    void servesPipesToTheirEnd() {
        Tools.require("nbdsh");
        String script =
                """
                import os, struct, subprocess, sys
                def request(kind, cookie, length, data=b""):
                    return struct.pack(">IHHQQI", 0x25609513, 0, kind, cookie, 0, length) + data
                data = os.urandom(300 << 10)
                said = struct.pack(">I", 3) + b"IHAVEOPT" + struct.pack(">II", 1, 4) + b"disk"
                said += request(1, 1, len(data), data) + request(0, 2, len(data))
                for last in (b"", request(2, 3, 0)):
                    ended = subprocess.run([sys.argv[1], "serve", sys.argv[2], "--stdio"],
                        input=said + last, capture_output=True, timeout=60)
                    assert ended.returncode == 0 and ended.stderr == b"", ended
                    assert ended.stdout[18 + 10 + 16 + 16:] == data, len(ended.stdout)
                """;
        python(script).succeed();
    }

    @Test
    void libnbdStartsItWithItsOwnSocket() throws IOException {
        Tools.require("nbdinfo", "nbdcopy");
        String[] server = {"[", Tools.launcher(), "serve", conf.toString(), "]"};
        Command info = Command.of("nbdinfo", "--json", "--").and(server);
        assertThat(Daemon.inRuntimeFolder(info, folder).succeed().output())
                .startsWith("{")
                .contains("\"export-size\": 8388608");
        Command copy = Command.of("nbdcopy", "--", data.toString()).and(server);
        Daemon.inRuntimeFolder(copy, folder).succeed();
    }

    /** A socket as systemd's .socket unit hands it over, with a name, and one of TCP beside it. */
    @Test
    void listensOnSocketsThatSystemdHandsOver() {
        Tools.require("nbdinfo");
        String script =
                """
                import fcntl, os, signal, socket, subprocess, sys
                folder = os.path.dirname(sys.argv[2])
                unix = socket.socket(socket.AF_UNIX)
                unix.bind(folder + "/activated")
                unix.listen()
                tcp = socket.create_server(("127.0.0.1", 0))
                port = tcp.getsockname()[1]
                child = os.fork()
                if child == 0:
                    high = [fcntl.fcntl(s.fileno(), fcntl.F_DUPFD, 50) for s in (unix, tcp)]
                    for at, fd in enumerate(high):
                        os.dup2(fd, 3 + at, inheritable=True)
                    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2", LISTEN_FDNAMES="u:t")
                    os.execv(sys.argv[1], ["spindle", "serve", sys.argv[2]])
                unix.close()
                tcp.close()
                for uri in ("nbd+unix:///disk?socket=" + folder + "/activated", "nbd://127.0.0.1:%d/disk" % port):
                    assert subprocess.check_output(["nbdinfo", "--size", uri]) == b"8388608\\n", uri
                os.kill(child, signal.SIGTERM)
                assert os.waitpid(child, 0)[1] == 0
                assert os.path.exists(folder + "/activated") # systemd's, not ours to remove
                """;
        python(script).succeed();
    }

    @Test
    void aSocketThatAllMayReachIsRefusedWithoutTls() {
        String script =
                """
                import os, socket, subprocess, sys
                s = socket.create_server(("0.0.0.0", 0))
                def hand():
                    os.dup2(s.fileno(), 9)
                    os.dup2(9, 3, inheritable=True)
                    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
                r, w = os.pipe()
                child = os.fork()
                if child == 0:
                    os.dup2(w, 2)
                    hand()
                    os.execv(sys.argv[1], ["spindle", "serve", sys.argv[2]])
                os.close(w)
                said = os.read(r, 65536).decode()
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1, said
                assert "activated socket 3 listens on 0.0.0.0" in said and "tls = required" in said, said
                """;
        Tools.require("nbdsh");
        python(script).succeed();
    }
}
