package dev.spindle.disksim;

import java.util.List;

/** What may stand after a key. */
sealed interface ParamValue {
    Place place();

    /** A number, a word, or words. */
    record Text(String text, Place place) implements ParamValue {}

    record Listing(List<ParamValue> values, Place place) implements ParamValue {
        public Listing {
            values = List.copyOf(values);
        }
    }

    record Block(ParamBlock block, Place place) implements ParamValue {}
}
