package dev.spindle.nbd;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the server has to offer. Asked from any event loop; must answer at once. */
public interface Exports {
    /** The export of that name, the default one for the empty name, or null. */
    @Nullable Export find(String name);

    /** All of them, in the order LIST shows. */
    List<Export> all();

    /** A fixed list; the empty name means the first, unless one is called just that. */
    static Exports of(List<Export> exports) {
        List<Export> all = List.copyOf(exports);
        Map<String, Export> byName = new HashMap<>();
        for (Export export : all) {
            if (byName.put(export.name(), export) != null) {
                throw new IllegalArgumentException("two exports named \"" + export.name() + '"');
            }
        }
        if (!all.isEmpty()) {
            byName.putIfAbsent("", all.getFirst());
        }
        return new Exports() {
            @Override
            public @Nullable Export find(String name) {
                return byName.get(name);
            }

            @Override
            public List<Export> all() {
                return all;
            }
        };
    }
}
