package dev.spindle.testbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What libnbd's interop programs check of a server (their folder interop/): size, a read and an
 * orderly end with and without TLS; the list of exports; block sizes; chunks of a structured read.
 * Here each goes both of libnbd's ways to start a server: on standard input and output
 * (nbd_connect_command) and with an activated socket (nbd_connect_systemd_socket_activation).
 * Pre-shared keys are left out, since the server has none.
 */
class LibnbdInteropTest {
    /**
     * What all begin with: {@code connect(h, setting...)} starts the server as the first argument
     * says.
     */
    private static final String START =
            """
            import errno, nbd, sys
            way, launcher, conf, pki = sys.argv[1:5]
            def connect(h, *settings):
                command = [launcher, "serve", conf]
                for setting in settings:
                    command += ["--set", setting]
                if way == "stdio":
                    h.connect_command(command + ["--stdio"])
                else:
                    h.connect_systemd_socket_activation(command)
            """;

    @TempDir static Path folder;
    private static Path conf;
    private static Path pki;

    @BeforeAll
    static void prepare() throws IOException {
        Tools.require("nbdsh");
        pki = Certificates.in(folder.resolve("pki")).folder();
        conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                include "%1$s/conf/drives/dvd-ram.conf"
                server.tls {
                    certificate = pki/server-cert.pem, key = pki/server-key.pem, client_ca = pki/ca-cert.pem
                }
                devices {
                    disk { drive = null, size = 1 MiB, description = "data", store { type = memory } }
                    dvd { drive = dvd-ram, store { type = memory } }
                }
                """
                        .formatted(Tools.home()));
    }

    private static void run(String script, String way, String... arguments) {
        Command python = Command.of("/usr/bin/python3", "-c", START + script, way);
        python.and(Tools.launcher(), conf.toString(), pki.toString()).and(arguments);
        Daemon.inRuntimeFolder(python, folder).succeed();
    }

    @ParameterizedTest
    @CsvSource({
        "stdio, off, DISABLE, False",
        "stdio, required, REQUIRE, True",
        "stdio, required, ALLOW, True",
        "stdio, optional, ALLOW, True",
        "stdio, optional, DISABLE, False",
        "stdio, off, ALLOW, False",
        "activated, off, DISABLE, False",
        "activated, required, REQUIRE, True",
        "activated, required, ALLOW, True",
        "activated, optional, ALLOW, True",
        "activated, optional, DISABLE, False",
        "activated, off, ALLOW, False"
    })
    void servesLibnbd(String way, String server, String client, String isEncrypted) {
        String script =
                """
                server, client, encrypted = sys.argv[5:]
                h = nbd.NBD()
                h.set_export_name("disk")
                h.set_tls(getattr(nbd, "TLS_" + client))
                h.set_tls_certificates(pki)
                h.set_tls_verify_peer(False)
                connect(h, "server.unix.tls=" + server)
                assert str(h.get_tls_negotiated()) == encrypted, h.get_tls_negotiated()
                assert h.get_size() == 1 << 20
                assert h.pread(512, 0) == bytes(512)
                h.pwrite(b"x" * 69632, 4096, nbd.CMD_FLAG_FUA)
                assert h.pread(69632, 4096) == b"x" * 69632
                h.flush()
                h.shutdown()
                """;
        run(script, way, server, client, isEncrypted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "activated"})
    void refusesLibnbdWithoutTls(String way) {
        String script =
                """
                h = nbd.NBD()
                h.set_export_name("disk")
                try:
                    connect(h, "server.unix.tls=required")
                    sys.exit("was let in")
                except nbd.Error as e:
                    print(e)
                """;
        run(script, way);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "activated"})
    void listsNamesAndDescriptions(String way) {
        String script =
                """
                h = nbd.NBD()
                h.set_opt_mode(True)
                connect(h)
                found = {}
                assert h.opt_list(found.__setitem__) == 2
                assert list(found) == ["disk", "dvd"] and "data" in found["disk"], found
                h.opt_abort()
                """;
        run(script, way);
    }

    /** As an option, then as GO; also for a client that has not asked. */
    @ParameterizedTest
    @ValueSource(strings = {"stdio", "activated"})
    void tellsBlockSizesAndDescription(String way) {
        String script =
                """
                for name, least in ("disk", 512), ("dvd", 2048):
                    for asks in True, False:
                        h = nbd.NBD()
                        h.set_opt_mode(True)
                        h.set_request_block_size(asks)
                        h.set_full_info(True)
                        h.set_export_name(name)
                        connect(h)
                        h.opt_info()
                        before = [h.get_size()] + [h.get_block_size(i) for i in range(3)]
                        assert before[1] == least, before
                        assert h.get_export_description() and h.get_canonical_export_name() == name
                        h.opt_go()
                        assert [h.get_size()] + [h.get_block_size(i) for i in range(3)] == before
                        h.shutdown()
                """;
        run(script, way);
    }

    /** 4 KiB of hole, then 4 KiB of data; a callback that fails; the connection stays. */
    @ParameterizedTest
    @ValueSource(strings = {"stdio", "activated"})
    void readsInChunks(String way) {
        String script =
                """
                h = nbd.NBD()
                h.set_export_name("disk")
                connect(h)
                assert h.get_structured_replies_negotiated() and h.can_df()
                h.pwrite(b"1" * 4096, 12288)
                seen = []
                def chunk(data, offset, status, error):
                    seen.append((status, offset, len(data), bytes(data) == b"1" * len(data)))
                    assert error.value == 0
                h.pread_structured(8192, 8192, chunk)
                assert sorted(seen) == [(nbd.READ_DATA, 12288, 4096, True), (nbd.READ_HOLE, 8192, 4096, False)], seen
                seen.clear()
                data = h.pread_structured(8192, 8192, chunk, nbd.CMD_FLAG_DF)
                assert data == bytes(4096) + b"1" * 4096
                assert seen == [(nbd.READ_DATA, 8192, 8192, False)], seen
                def fails(data, offset, status, error):
                    seen.append(status)
                    error.value = errno.EPROTO
                    return -1
                seen.clear()
                try:
                    h.pread_structured(8192, 8192, fails)
                    sys.exit("a failing callback was not noticed")
                except nbd.Error as e:
                    assert e.errnum == errno.EPROTO, e
                assert len(seen) == 2 and h.aio_is_ready()
                assert h.pread(1024, 12288) == b"1" * 1024
                h.shutdown()
                """;
        run(script, way);
    }

    /** Extents before and after, of a selection made by hand; contexts of none are no error. */
    @ParameterizedTest
    @ValueSource(strings = {"stdio", "activated"})
    void answersBlockStatus(String way) {
        String script =
                """
                h = nbd.NBD()
                h.set_opt_mode(True)
                h.set_export_name("disk")
                h.add_meta_context("base:allocation")
                h.add_meta_context("x-none:such")
                connect(h)
                listed = []
                h.opt_list_meta_context(listed.append)
                assert listed == ["base:allocation"], listed
                h.opt_go()
                assert h.can_meta_context("base:allocation")
                assert not h.can_meta_context("x-none:such")
                h.pwrite(b"1" * 4096, 65536)
                found = []
                def extents(context, offset, entries, error):
                    assert context == "base:allocation"
                    found.extend(entries)
                h.block_status(1 << 20, 0, extents)
                assert found == [65536, 3, 4096, 0, (1 << 20) - 69632, 3], found
                found.clear()
                h.block_status(1 << 20, 0, extents, nbd.CMD_FLAG_REQ_ONE)
                assert found == [65536, 3], found
                h.shutdown()
                """;
        run(script, way);
    }
}
