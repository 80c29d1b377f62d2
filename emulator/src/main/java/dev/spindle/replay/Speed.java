package dev.spindle.replay;

import java.util.Locale;

/** How fast a trace is replayed. */
public sealed interface Speed {
    int DEFAULT_DEPTH = 32;
    int MAX_DEPTH = 65536;

    /** Each request at its own time, whether those before have ended or not: an open loop. */
    record AsRecorded() implements Speed {}

    /** So many requests under way at any time: a closed loop. */
    record AsFast(int depth) implements Speed {
        public AsFast {
            if (depth < 1 || depth > MAX_DEPTH) {
                throw new IllegalArgumentException(
                        "depth " + depth + ": allowed 1 to " + MAX_DEPTH);
            }
        }
    }

    /**
     * Each request as long after the end of the one it seems to have waited for as it was then:
     * that is the last that had ended before it, unless another request was made in between, behind
     * which it then keeps its distance. Needs a trace that says when requests ended.
     */
    record Dependent() implements Speed {}

    /** The name of the choice, as people write it. */
    default String text() {
        return switch (this) {
            case AsRecorded() -> "as-recorded";
            case AsFast(int depth) -> "as-fast, depth " + depth;
            case Dependent() -> "dependent";
        };
    }

    /** From what people write; the depth is for as-fast. */
    static Speed of(String name, int depth) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "as-recorded" -> new AsRecorded();
            case "as-fast" -> new AsFast(depth);
            case "dependent" -> new Dependent();
            default ->
                    throw new IllegalArgumentException(
                            "speed \"" + name + "\": allowed as-recorded, as-fast, dependent");
        };
    }
}
