package dev.spindle.report;

/** The calls whose time is taken, in the order of the file. */
public enum CallKind {
    SUBMIT(0, "io_submit", "iocbs"),
    GETEVENTS(1, "io_getevents", "events"),
    POSIX(2, "aio_read/write", "requests"),
    SUSPEND(3, "aio_suspend", "ends seen");

    private final int index;
    private final String label;
    private final String items;

    CallKind(int index, String label, String items) {
        this.index = index;
        this.label = label;
        this.items = items;
    }

    String label() {
        return label;
    }

    /** What a call moves. */
    String items() {
        return items;
    }

    /** Its place in the file. */
    int index() {
        return index;
    }
}
