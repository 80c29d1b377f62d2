package dev.spindle.replay;

import dev.spindle.trace.RecordedRequest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Each request some time after the end, or after the making, of one before it. */
final class DependentPace implements Pace {
    private static final int NONE = -1;

    private final List<RecordedRequest> requests;

    /** Whose end each waits for; NONE where it is behind the making of the one before. */
    private final int[] parents;

    private final int[] firstChildren;
    private final int[] siblings;

    DependentPace(List<RecordedRequest> requests) {
        this.requests = requests;
        parents = filled(requests.size());
        firstChildren = filled(requests.size());
        siblings = filled(requests.size());
        findParents();
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, NONE);
        return array;
    }

    private void findParents() {
        PriorityQueue<Integer> underWay =
                new PriorityQueue<>(Comparator.comparingLong(this::endedNs));
        int lastEnded = NONE;
        for (int i = 0; i < requests.size(); i++) {
            while (!underWay.isEmpty() && endedNs(underWay.peek()) <= timeNs(i)) {
                lastEnded = underWay.poll();
            }
            if (lastEnded != NONE && endedNs(lastEnded) >= timeNs(i - 1)) {
                adopt(lastEnded, i);
            }
            if (requests.get(i).isEndKnown()) {
                underWay.add(i);
            }
        }
    }

    private void adopt(int parent, int child) {
        parents[child] = parent;
        siblings[child] = firstChildren[parent];
        firstChildren[parent] = child;
    }

    private long endedNs(int request) {
        return requests.get(request).endedNs();
    }

    private long timeNs(int request) {
        return requests.get(request).timeNs();
    }

    @Override
    public void begin(Agenda agenda) {
        agenda.at(timeNs(0), 0);
    }

    @Override
    public void made(int request, long atNs, Agenda agenda) {
        int next = request + 1;
        if (next < requests.size() && parents[next] == NONE) {
            agenda.at(atNs + timeNs(next) - timeNs(request), next);
        }
    }

    @Override
    public void ended(int request, long atNs, Agenda agenda) {
        for (int child = firstChildren[request]; child != NONE; child = siblings[child]) {
            agenda.at(atNs + timeNs(child) - endedNs(request), child);
        }
    }
}
