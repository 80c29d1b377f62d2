package dev.spindle.nbd;

/** Why a request is not given to the device, each with its error and its words for people. */
enum Refusal {
    NONE(NbdError.NONE, ""),
    SHUTDOWN(NbdError.ESHUTDOWN, "the server is shutting down"),
    UNKNOWN_COMMAND(NbdError.EINVAL, "unknown command"),
    UNKNOWN_FLAG(NbdError.EINVAL, "a flag that this command does not have"),
    NO_PAYLOAD(NbdError.EINVAL, "WRITE without the flag PAYLOAD_LEN"),
    FLUSH_OF_RANGE(NbdError.EINVAL, "FLUSH takes neither offset nor length"),
    READ_ONLY(NbdError.EPERM, "the device is read-only"),
    TOO_LONG(NbdError.EINVAL, "longer than the maximum payload"),
    READ_TOO_LONG(NbdError.EOVERFLOW, "longer than the maximum payload"),
    PAST_THE_END(NbdError.EINVAL, "past the end of the device"),
    NO_SPACE(NbdError.ENOSPC, "past the end of the device"),
    UNALIGNED(NbdError.EINVAL, "not in whole blocks"),
    NOT_FAST(NbdError.ENOTSUP, "zeroes are no faster than a write here"),
    NO_CONTEXT(NbdError.EINVAL, "no meta context was selected for this export"),
    WRONG_CONTEXTS(NbdError.EINVAL, "a list of unknown or repeated meta contexts"),
    STATUS_OF_NOTHING(NbdError.EINVAL, "BLOCK_STATUS of no bytes");

    private final NbdError error;
    private final String reason;

    Refusal(NbdError error, String reason) {
        this.error = error;
        this.reason = reason;
    }

    NbdError error() {
        return error;
    }

    String reason() {
        return reason;
    }
}
