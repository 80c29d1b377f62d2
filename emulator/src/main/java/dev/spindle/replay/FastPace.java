package dev.spindle.replay;

/** So many requests under way at any time. */
final class FastPace implements Pace {
    private final int depth;
    private final int requests;
    private int next;

    FastPace(int depth, int requests) {
        this.depth = depth;
        this.requests = requests;
    }

    @Override
    public void begin(Agenda agenda) {
        while (next < Math.min(depth, requests)) {
            agenda.at(0, next++);
        }
    }

    @Override
    public void ended(int request, long atNs, Agenda agenda) {
        if (next < requests) {
            agenda.at(atNs, next++);
        }
    }
}
