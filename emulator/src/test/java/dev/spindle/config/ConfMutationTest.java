package dev.spindle.config;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a conf file is spoilt, the loader takes it or refuses it; it never breaks. */
final class ConfMutationTest {
    private static final int ROUNDS = 1500;
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        "=",
        "+=",
        "\"",
        "\"\"\"",
        "${",
        "${?",
        ",",
        "\n",
        "#",
        "null",
        "-1",
        "0",
        "1e999",
        "include \"",
        "include file(\"x\")",
        "\\u0000",
        "\u0000",
        "\u00e9",
        "99999999999999999999",
        "auto",
        "..",
        "devices",
        "drives",
        "zones",
        "queue",
        "a.b.c",
        "//",
        ":",
        "0x10",
        "NaN",
        "file"
    };

    @TempDir Path folder;

    @Test
    void nothingButARefusalEverComesOut() throws IOException {
        long seed = Long.getLong("spindle.seed", 2006L);
        SplittableRandom random = new SplittableRandom(seed);
        String sound =
                ConfFixture.DISK
                        + """
                        server { tcp { port = 0 }, unix { mode = "0600" }, limits { max_request = 1 MiB } }
                        devices {
                          a { drive = k, size = 1 MiB, store { type = file, path = a.img }
                              queue { nr_requests = 128, congestion_on = 100, congestion_off = 50 } }
                          b { drive = k, size = 2 MiB, path = /dev/c }
                        }
                        """;
        for (int round = 0; round < ROUNDS; round++) {
            String text = mutate(sound, random);
            Path file = Files.writeString(folder.resolve("x.conf"), text, StandardCharsets.UTF_8);
            try {
                LoadedConfig loaded = ConfigLoader.read(file, Map.of());
                Files.writeString(
                        folder.resolve("y.conf"), SettingsPrinter.asHocon(loaded.settings()));
                SpindleConfig again = ConfigLoader.load(folder.resolve("y.conf"), Map.of());
                if (!again.equals(loaded.config())) {
                    fail("printed settings differ" + replay(seed, round, text));
                }
            } catch (ConfigException refusal) {
                if (refusal.problems().isEmpty()) {
                    fail("a refusal without a reason" + replay(seed, round, text));
                }
            } catch (RuntimeException | StackOverflowError broken) {
                fail("broke" + replay(seed, round, text), broken);
            }
        }
    }

    private static String replay(long seed, int round, String text) {
        return " in round "
                + round
                + "; replay: mvn -pl emulator test -Dtest=ConfMutationTest -Dspindle.seed="
                + seed
                + "\n"
                + text;
    }

    private static String mutate(String sound, SplittableRandom random) {
        StringBuilder text = new StringBuilder(sound);
        int edits = 1 + random.nextInt(4);
        for (int i = 0; i < edits; i++) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(8));
            switch (random.nextInt(5)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
                case 2 -> text.replace(at, end, PIECES[random.nextInt(PIECES.length)]);
                case 3 -> text.setCharAt(at, (char) random.nextInt(32, 127));
                default -> text.insert(at, text.substring(at, end));
            }
        }
        return text.toString();
    }
}
