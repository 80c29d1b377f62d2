package dev.spindle.replay;

import dev.spindle.trace.RecordedRequest;
import java.util.List;

/** Each request at its own time. */
final class RecordedPace implements Pace {
    private final List<RecordedRequest> requests;

    RecordedPace(List<RecordedRequest> requests) {
        this.requests = requests;
    }

    @Override
    public void begin(Agenda agenda) {
        agenda.at(requests.getFirst().timeNs(), 0);
    }

    @Override
    public void made(int request, long atNs, Agenda agenda) {
        int next = request + 1;
        if (next < requests.size()) {
            agenda.at(requests.get(next).timeNs(), next);
        }
    }
}
