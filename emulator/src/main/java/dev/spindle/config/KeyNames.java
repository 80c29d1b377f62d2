package dev.spindle.config;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which names may stand in a section, and what a wrong one was probably meant to be. */
final class KeyNames {
    private KeyNames() {}

    /** Keys and sections directly in the section; empty where the user chooses the names. */
    static Set<String> in(String section) {
        Set<String> names = new LinkedHashSet<>();
        for (String path : pathsBelow(section)) {
            int end = path.indexOf('.');
            names.add((end < 0 ? path : path.substring(0, end)).replace("[]", ""));
        }
        names.remove("*");
        return names;
    }

    /** Ends a message about an unknown name: the nearest known one, or all of them. */
    static String hint(String name, String section) {
        List<String> paths =
                pathsBelow(section).stream().filter(path -> !path.contains("*")).toList();
        for (String path : paths) {
            if (path.endsWith("." + name)) {
                return "did you mean " + path.replace("[]", "") + "?";
            }
        }
        return hintAmong(name, in(section));
    }

    static String hintAmong(String name, Collection<String> known) {
        return nearest(name, known)
                .map(near -> "did you mean " + near + "?")
                .orElse("known here: " + String.join(", ", known));
    }

    static Optional<String> nearest(String name, Collection<String> known) {
        TreeMap<Integer, String> byDistance = new TreeMap<>();
        String lower = name.toLowerCase(Locale.ROOT).replace('-', '_');
        known.forEach(
                candidate -> byDistance.putIfAbsent(editDistance(lower, candidate), candidate));
        int most = Math.max(2, Math.min(name.length(), 64) / 3);
        return Optional.ofNullable(byDistance.firstEntry())
                .filter(entry -> entry.getKey() <= most)
                .map(entry -> entry.getValue());
    }

    private static List<String> pathsBelow(String section) {
        String alias =
                section.startsWith(Keys.DRIVE_QUEUE)
                        ? Keys.QUEUE + section.substring(Keys.DRIVE_QUEUE.length())
                        : section;
        String prefix = alias.isEmpty() ? "" : alias + ".";
        LinkedHashSet<String> paths = new LinkedHashSet<>();
        for (Key<?> key : Keys.all()) {
            String path = key.section() + "." + key.name();
            if (path.startsWith(prefix)) {
                paths.add(path.substring(prefix.length()));
            }
        }
        if (section.equals(Keys.DRIVE)) {
            pathsBelow(Keys.QUEUE).forEach(path -> paths.add("queue." + path));
        }
        return List.copyOf(paths);
    }

    /** Levenshtein's, over at most 64 characters of each. */
    private static int editDistance(String left, String right) {
        String a = left.substring(0, Math.min(64, left.length()));
        int[] row = new int[right.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = a.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
                int best = Math.min(diagonal + change, Math.min(row[j], row[j - 1]) + 1);
                diagonal = row[j];
                row[j] = best;
            }
        }
        return row[right.length()];
    }
}
