package dev.spindle.control;

/** A file of /sys was not read or not written; the message says why, in one line. */
final class AttributeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Errno errno;

    AttributeException(Errno errno, String message) {
        super(message);
        this.errno = errno;
    }

    Errno errno() {
        return errno;
    }
}
