package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressesTest {
    private static Addresses unix(String path) {
        return new Addresses(List.of(), List.of(Path.of(path)), false, false);
    }

    @Test
    void aPlainPathStandsAsItIs() {
        assertThat(unix("/run/a-b_c.d/4/nbd.sock").uris("hda"))
                .containsExactly("nbd+unix:///hda?socket=/run/a-b_c.d/4/nbd.sock");
        assertThat(unix("/run/4/nbd.sock").attachCommand("hda", 1, 512))
                .isEqualTo("nbd-client -unix /run/4/nbd.sock /dev/nbd1 -N hda -b 512");
    }

    @Test
    void anOddPathIsEncodedInAUriAndQuotedForAShell() {
        assertThat(unix("/r s/100%/\u00e9&").uris("hda"))
                .containsExactly("nbd+unix:///hda?socket=/r%20s/100%25/%C3%A9%26");
        assertThat(unix("/r s/it's").attachCommand("hda", 0, 4096))
                .isEqualTo("nbd-client -unix '/r s/it'\\''s' /dev/nbd0 -N hda -b 4096");
    }

    @Test
    void anAddressOfIpv6StandsInBrackets() throws UnknownHostException {
        byte[] loopback = new byte[16];
        loopback[15] = 1;
        var tcp = new InetSocketAddress(InetAddress.getByAddress(loopback), 10809);
        assertThat(new Addresses(List.of(tcp), List.of(), false, true).uris("hda"))
                .containsExactly("nbd://[0:0:0:0:0:0:0:1]:10809/hda");
        Addresses encrypted = new Addresses(List.of(tcp), List.of(), true, false);
        assertThat(encrypted.uris("hda")).containsExactly("nbds://[0:0:0:0:0:0:0:1]:10809/hda");
        assertThat(encrypted.attachCommand("hda", 0, 512)).endsWith(" -b 512 -x");
    }
}
