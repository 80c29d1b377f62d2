package dev.spindle.replay;

import dev.spindle.trace.RecordedRequest;
import java.util.List;

/** When each request is made. Requests are known by their place in the trace, from 0 on. */
interface Pace {
    /** Takes what is to be made, and when; it may be in the past, which is now. */
    interface Agenda {
        void at(long timeNs, int request);
    }

    void begin(Agenda agenda);

    default void made(int request, long atNs, Agenda agenda) {}

    default void ended(int request, long atNs, Agenda agenda) {}

    static Pace of(Speed speed, List<RecordedRequest> requests) {
        return switch (speed) {
            case Speed.AsRecorded() -> new RecordedPace(requests);
            case Speed.AsFast(int depth) -> new FastPace(depth, requests.size());
            case Speed.Dependent() -> new DependentPace(requests);
        };
    }
}
