package dev.spindle.control;

/** What came is no request at all; the message says why, in one line. */
public final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1;

    BadRequestException(String message) {
        super(message);
    }

    BadRequestException(String message, Throwable cause) {
        super(message, cause);
    }
}
