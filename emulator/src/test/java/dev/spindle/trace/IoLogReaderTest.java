package dev.spindle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.block.BlockOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** fio(1), "Trace file format". */
class IoLogReaderTest {
    private static final int SEEDS = 500;
    private static final long US = 1000;

    @TempDir private Path folder;

    private List<RecordedRequest> read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("log"), text);
        return RecordedTrace.read(file, Optional.empty()).requests();
    }

    @Test
    void readsVersion2WithItsWaits() throws IOException {
        assertThat(
                        read(
                                """
                                fio version 2 iolog
                                /dev/sda add
                                /dev/sda open
                                /dev/sda read 4096 512
                                /dev/sda wait 1500 0
                                /dev/sda write 0 8192
                                /dev/sda wait 99 0
                                /dev/sda trim 65536 4096

                                /dev/sda wait 100 0
                                /dev/sda sync 0 0
                                /dev/sda datasync 0 0
                                /dev/sda close
                                """))
                .containsExactly(
                        new RecordedRequest(0, BlockOperation.READ, 4096, 512),
                        new RecordedRequest(1500 * US, BlockOperation.WRITE, 0, 8192),
                        new RecordedRequest(1500 * US, BlockOperation.DISCARD, 65536, 4096),
                        new RecordedRequest(1600 * US, BlockOperation.FLUSH, 0, 0),
                        new RecordedRequest(1600 * US, BlockOperation.FLUSH, 0, 0));
    }

    @Test
    void readsVersion3FromItsFirstRequestOn() throws IOException {
        assertThat(
                        read(
                                """
                                fio version 3 iolog
                                34 /tmp/d add
                                157 /tmp/d open
                                161 /tmp/d read 61440 4096
                                20568 /tmp/d write 774144 4096
                                122036 /tmp/d close
                                """))
                .containsExactly(
                        new RecordedRequest(0, BlockOperation.READ, 61440, 4096),
                        new RecordedRequest(20407 * US, BlockOperation.WRITE, 774144, 4096));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "d read 0|expected 'FILE ACTION' or 'FILE ACTION OFFSET LENGTH', found \"d read 0\"",
                "d fly 0 512|action \"fly\": allowed read, write, trim, sync, datasync, wait",
                "d fly|action \"fly\" alone: allowed add, open, close",
                "d read x 512|offset \"x\": allowed whole numbers from 0 to 4611686018427387903",
                "d read -1 512|offset \"-1\": allowed whole numbers from 0 to 4611686018427387903",
                "d read 99999999999999999999 512|offset \"99999999999999999999\": allowed whole"
                        + " numbers from 0 to 4611686018427387903",
                "d read 0 0|length 0",
                "d read 7 512|offset 7 length 512: no multiples of 512",
                "e read 0 512|file \"e\" has not been added",
                "e open|file \"e\" has not been added",
                "f read 0 512|file \"f\" is not open",
                "d wait soon 0|wait in us \"soon\": allowed whole numbers from 0 to"
                        + " 4611686018427387"
            })
    void refusesALineByFileLineAndReason(String line, String reason) {
        String text = "fio version 2 iolog\nd add\nd open\nf add\nd read 0 512\n" + line + "\n";
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("log") + ":6: " + reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5 d wait 1 0|wait: version 3 has times instead",
                "d read 0 512|time in us \"d\": allowed whole numbers from 0 to 4611686018427387",
                "5 d read 0|expected 'TIME FILE ACTION' or 'TIME FILE ACTION OFFSET LENGTH', found"
                        + " \"5 d read 0\"",
                "4 d read 0 512|time 4 us is before that of the line before",
                "5 d fly 0 512|action \"fly\": allowed read, write, trim, sync, datasync"
            })
    void refusesALineOfVersion3(String line, String reason) {
        String text = "fio version 3 iolog\n5 d add\n5 d open\n" + line + "\n";
        assertThatThrownBy(() -> read(text)).hasMessage(folder.resolve("log") + ":4: " + reason);
    }

    @Test
    void refusesWhatIsNoLog() {
        assertThatThrownBy(() -> read("0, 4096, 512\n"))
                .hasMessage(
                        folder.resolve("log")
                                + ":1: expected \"fio version 2 iolog\" or \"fio version 3"
                                + " iolog\", found \"0, 4096, 512\"; it is no blktrace either");
        assertThatThrownBy(() -> read("fio version 3 iolog\n"))
                .hasMessage(folder.resolve("log") + ": holds no requests");
        assertThatThrownBy(() -> read("x".repeat(1 << 20)))
                .hasMessage(folder.resolve("log") + ":1: a line of more than 4096 characters");
    }

    /** Whatever the text: requests, or one line of refusal. */
    @Test
    void noTextMakesItFailOtherwise() {
        String[] words = {
            "fio version 2 iolog",
            "fio version 3 iolog",
            "d",
            "add",
            "open",
            "read",
            "write",
            "wait",
            "0",
            "512",
            "-1",
            "99999999999999999999",
            "\n",
            "\n",
            " ",
            " ",
            "\t",
            "\0",
            "é"
        };
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            StringBuilder text =
                    new StringBuilder(random.nextBoolean() ? "fio version 2 iolog\n" : "");
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(words[random.nextInt(words.length)]).append(' ');
            }
            try {
                assertThat(read(text.toString())).as("seed %d", seed).isNotEmpty();
            } catch (IOException e) {
                assertThat(e).as("seed %d", seed).hasMessageStartingWith(folder.toString());
            }
        }
    }
}
