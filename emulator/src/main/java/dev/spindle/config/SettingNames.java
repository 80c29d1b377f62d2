package dev.spindle.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Short names of settings, where it is known which device, drive, workload and host are meant: the
 * last parts of a key, with dots or slashes, such as {@code nr_requests}, {@code
 * packet/congestion_on}, {@code drive.rpm} or {@code depth}. A full path stays what it is.
 */
public final class SettingNames {
    private static final List<String> ROOTS =
            List.of("server.", "devices.", "drives.", "workloads.", "hosts.");

    /** A name's first part that says where to look, and where that is. */
    private static final Map<String, String> SCOPES =
            Map.of(
                    "device", Keys.DEVICE,
                    "drive", Keys.DRIVE,
                    "workload", WorkloadKeys.WORKLOAD,
                    "host", WorkloadKeys.HOST);

    private final Map<String, String> places = new LinkedHashMap<>();

    public SettingNames(String device, String drive, String workload, String host) {
        places.put(WorkloadKeys.WORKLOAD, "workloads." + quoted(workload));
        places.put(Keys.DEVICE, "devices." + quoted(device));
        places.put(WorkloadKeys.HOST, "hosts." + quoted(host));
        places.put(Keys.DRIVE, "drives." + quoted(drive));
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }

    /** The keys of a workload: name, sentence, what is allowed. */
    public static List<Described> ofWorkload() {
        return WorkloadKeys.all().stream()
                .filter(key -> key.section().equals(WorkloadKeys.WORKLOAD))
                .map(key -> new Described(key.name(), key.sentence(), key.type().allowed()))
                .toList();
    }

    /** A key as help shows it. */
    public record Described(String name, String sentence, String allowed) {}

    /** Full path of a setting; a {@link ConfigException} names the nearest where there is none. */
    public String resolve(String name) {
        String dotted = name.replace('/', '.');
        if (ROOTS.stream().anyMatch(dotted::startsWith)) {
            return dotted;
        }
        int dot = dotted.indexOf('.');
        String scope = dot < 0 ? null : SCOPES.get(dotted.substring(0, dot));
        List<String> found =
                scope == null
                        ? find(dotted, places.keySet())
                        : find(dotted.substring(dot + 1), Set.of(scope));
        if (found.size() > 1) {
            throw new ConfigException(
                    name + ": could be " + String.join(" or ", found) + ", write more of it");
        }
        if (found.isEmpty()) {
            String hint =
                    KeyNames.nearest(dotted, known())
                            .map(near -> "did you mean " + near + "?")
                            .orElse("docs/configuration.md has them all");
            throw new ConfigException(name + ": unknown key, " + hint);
        }
        return found.getFirst();
    }

    private List<String> find(String name, Set<String> sections) {
        List<String> exact = new ArrayList<>();
        List<String> ending = new ArrayList<>();
        places.forEach((section, place) -> {
            if (sections.contains(section)) {
                for (String below : below(section)) {
                    if (below.equals(name)) {
                        exact.add(place + "." + below);
                    } else if (below.endsWith("." + name)) {
                        ending.add(place + "." + below);
                    }
                }
            }
        });
        return exact.isEmpty() ? ending : exact.subList(0, 1);
    }

    private static List<String> below(String section) {
        return Keys.all().stream()
                .map(key -> key.section() + "." + key.name())
                .filter(path -> path.startsWith(section + ".") && !path.contains("[]"))
                .map(path -> path.substring(section.length() + 1))
                .toList();
    }

    private Set<String> known() {
        Set<String> names = new LinkedHashSet<>();
        for (String section : places.keySet()) {
            for (String below : below(section)) {
                names.add(below);
                names.add(below.substring(below.lastIndexOf('.') + 1));
            }
        }
        return names;
    }
}
