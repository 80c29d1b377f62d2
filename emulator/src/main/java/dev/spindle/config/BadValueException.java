package dev.spindle.config;

/** A text is no value of its type; the message says why and what is allowed. */
final class BadValueException extends Exception {
    private static final long serialVersionUID = 1;

    BadValueException(String message) {
        super(message);
    }
}
