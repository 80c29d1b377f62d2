package dev.spindle.control;

import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * A file of /sys that belongs to a device.
 *
 * @param path below the device's folder
 * @param show its text, with the newline; none where it can only be written
 * @param store takes what is written to it; none where it can only be read
 */
record Attribute(String path, Optional<Show> show, Optional<Store> store) {
    /** Called on the loop that owns the device. */
    @FunctionalInterface
    interface Show {
        /** The value without its newline; minor is the device's number as the program sees it. */
        String text(ControlledDevice device, int minor);
    }

    /** Called on the loop that owns the device; throws an {@link AttributeException}. */
    @FunctionalInterface
    interface Store {
        void take(ControlledDevice device, String text);
    }

    static Attribute readOnly(String path, Show show) {
        return new Attribute(path, Optional.of(show), Optional.empty());
    }

    static Attribute number(String path, ToLongFunction<ControlledDevice> of) {
        return readOnly(path, (device, _) -> Long.toString(of.applyAsLong(device)));
    }

    static Attribute constant(String path, String text) {
        return readOnly(path, (_, _) -> text);
    }

    static Attribute tunable(String path, Show show, Store store) {
        return new Attribute(path, Optional.of(show), Optional.of(store));
    }

    static Attribute writeOnly(String path, Store store) {
        return new Attribute(path, Optional.empty(), Optional.of(store));
    }

    SysFile file(String folder) {
        return new SysFile(folder + path, show.isPresent(), store.isPresent());
    }
}
