package dev.spindle.config;

import java.util.List;

/** The table of keys as Markdown, for docs/configuration.md. */
public final class KeyReference {
    private static final String BEGIN = "<!-- keys: ";
    private static final String END = "<!-- end of keys -->";

    private KeyReference() {}

    /**
     * The document with each table made anew: what stands between {@code <!-- keys: SECTION -->}
     * and {@code <!-- end of keys -->}.
     */
    public static String refresh(String document) {
        StringBuilder fresh = new StringBuilder();
        boolean isWithin = false;
        for (String line : document.lines().toList()) {
            isWithin = isWithin && !line.equals(END);
            if (!isWithin) {
                fresh.append(line).append('\n');
            }
            if (line.startsWith(BEGIN)) {
                isWithin = true;
                fresh.append(table(line.substring(BEGIN.length(), line.indexOf(" -->"))));
            }
        }
        return fresh.toString();
    }

    /** The sections there are, each once, in the order of the table. */
    public static List<String> sections() {
        return Keys.all().stream().map(Key::section).distinct().toList();
    }

    private static String table(String section) {
        return section.equals("tunables") ? tunables() : keys(section);
    }

    private static String keys(String section) {
        StringBuilder table =
                new StringBuilder("| Key | Default | Allowed | |\n|---|---|---|---|\n");
        for (Key<?> key : Keys.all()) {
            if (key.section().equals(section)) {
                table.append(
                        "| `%s` | %s | %s | %s |\n"
                                .formatted(
                                        key.name(),
                                        key.defaultNote().orElse("*required*"),
                                        key.type().allowed(),
                                        key.sentence()));
            }
        }
        return table.toString();
    }

    private static String tunables() {
        StringBuilder table = new StringBuilder("| Key | Allowed | |\n|---|---|---|\n");
        for (Tunable tunable : Tunable.values()) {
            table.append(
                    "| `%s` | %s | %s |\n"
                            .formatted(tunable.path(), tunable.allowed(), tunable.sentence()));
        }
        return table.toString();
    }
}
