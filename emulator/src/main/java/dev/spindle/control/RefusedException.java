package dev.spindle.control;

/** The daemon will not do it; the message is its one line. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    public RefusedException(String message) {
        super(message);
    }
}
