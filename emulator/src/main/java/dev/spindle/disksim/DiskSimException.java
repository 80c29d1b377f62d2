package dev.spindle.disksim;

/** A file that cannot be used; the message is one line that says where and why. */
public final class DiskSimException extends Exception {
    private static final long serialVersionUID = 1;

    public DiskSimException(String message) {
        super(message);
    }

    static DiskSimException at(Place place, String message) {
        return new DiskSimException(place + ": " + message);
    }
}
