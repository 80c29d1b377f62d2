package dev.spindle.nbd;

import org.jspecify.annotations.Nullable;

/** The options this server knows (proto.md, Option types); any other gets ERR_UNSUP. */
enum NbdOption {
    EXPORT_NAME(1),
    ABORT(2),
    LIST(3),
    INFO(6),
    GO(7),
    STRUCTURED_REPLY(8),
    LIST_META_CONTEXT(9),
    SET_META_CONTEXT(10),
    EXTENDED_HEADERS(11);

    private final int code;

    NbdOption(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable NbdOption of(int code) {
        for (NbdOption option : values()) {
            if (option.code == code) {
                return option;
            }
        }
        return null;
    }
}
