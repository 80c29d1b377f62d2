package dev.spindle.trace;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.Sectors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what belongs together in one device's events: a command's beginning with its end by
 * the first sector, a request with the ends of all commands that carry sectors of it. Where several
 * requests ask for the same sectors, the eldest is served first.
 */
final class StageMatcher {
    /** Told of each request that has ended, by its number from 0 on. */
    @FunctionalInterface
    interface Ended {
        void ended(int number, long atNs);
    }

    /** What is not yet over. Kinds do not mix: a read never ends by a write. */
    private static final class Kind {
        final NavigableMap<Long, ArrayDeque<Asked>> asked = new TreeMap<>();
        final Map<Long, ArrayDeque<TraceEvent>> issued = new HashMap<>();
        long longestSectors;
    }

    /** A request and what is still missing of it. */
    private static final class Asked {
        final int number;
        final long timeNs;
        final long firstSector;
        final List<Stretch> missing = new ArrayList<>(1);

        Asked(int number, TraceEvent event) {
            this.number = number;
            timeNs = event.timeNs();
            firstSector = event.sector();
            missing.add(new Stretch(firstSector, firstSector + sectors(event)));
        }

        @Nullable Stretch missingOf(Stretch stretch) {
            for (Stretch each : missing) {
                if (each.from < stretch.to && stretch.from < each.to) {
                    return each;
                }
            }
            return null;
        }
    }

    /** Sectors from one up to, not including, another. */
    private record Stretch(long from, long to) {
        /** What is left of this beside the other goes to the list. */
        void leave(Stretch other, List<Stretch> rest) {
            if (from < other.from) {
                rest.add(new Stretch(from, other.from));
            }
            if (other.to < to) {
                rest.add(new Stretch(other.to, to));
            }
        }
    }

    private final Map<BlockOperation, Kind> kinds = new EnumMap<>(BlockOperation.class);
    private final Ended onEnded;
    private final StageTimes times = new StageTimes(new Times(), new Times());
    private int requests;

    StageMatcher(Ended onEnded) {
        this.onEnded = onEnded;
    }

    StageTimes times() {
        return times;
    }

    void add(TraceEvent event) {
        Kind kind = kinds.computeIfAbsent(event.operation(), _ -> new Kind());
        TraceAction action = event.action().orElse(null);
        if (action == TraceAction.QUEUE) {
            ask(kind, event);
        } else if (action == TraceAction.ISSUE) {
            kind.issued.computeIfAbsent(event.sector(), _ -> new ArrayDeque<>()).addLast(event);
        } else if (action == TraceAction.COMPLETE) {
            complete(kind, event);
        }
    }

    private static long sectors(TraceEvent event) {
        return event.lengthBytes() >> Sectors.SHIFT;
    }

    private void ask(Kind kind, TraceEvent event) {
        Asked asked = new Asked(requests++, event);
        kind.longestSectors = Math.max(kind.longestSectors, sectors(event));
        kind.asked.computeIfAbsent(event.sector(), _ -> new ArrayDeque<>()).addLast(asked);
    }

    private void complete(Kind kind, TraceEvent event) {
        ArrayDeque<TraceEvent> issued = kind.issued.get(event.sector());
        TraceEvent begun = issued == null ? null : issued.pollFirst();
        if (begun != null) {
            times.d2c().add(event.timeNs() - begun.timeNs());
        }
        if (sectors(event) == 0) {
            endFlush(kind, event);
            return;
        }
        List<Stretch> open = new ArrayList<>();
        open.add(new Stretch(event.sector(), event.sector() + sectors(event)));
        while (!open.isEmpty()) {
            Stretch stretch = open.removeLast();
            Asked eldest = eldest(kind, stretch);
            if (eldest != null) {
                serve(kind, eldest, stretch, event.timeNs(), open);
            }
        }
    }

    private void endFlush(Kind kind, TraceEvent event) {
        ArrayDeque<Asked> flushes = kind.asked.get(event.sector());
        Asked eldest = flushes == null ? null : flushes.pollFirst();
        if (eldest != null) {
            end(eldest, event.timeNs());
        }
    }

    private static @Nullable Asked eldest(Kind kind, Stretch stretch) {
        Asked eldest = null;
        long lowest = stretch.from - kind.longestSectors;
        for (ArrayDeque<Asked> same :
                kind.asked.subMap(lowest, false, stretch.to, false).values()) {
            for (Asked each : same) {
                if ((eldest == null || each.number < eldest.number)
                        && each.missingOf(stretch) != null) {
                    eldest = each;
                }
            }
        }
        return eldest;
    }

    /** Takes what is the request's out of the stretch; the rest of it stays open. */
    private void serve(Kind kind, Asked asked, Stretch stretch, long atNs, List<Stretch> open) {
        Stretch missing = asked.missingOf(stretch);
        assert missing != null;
        asked.missing.remove(missing);
        missing.leave(stretch, asked.missing);
        stretch.leave(missing, open);
        if (asked.missing.isEmpty()) {
            remove(kind, asked);
            end(asked, atNs);
        }
    }

    private static void remove(Kind kind, Asked asked) {
        ArrayDeque<Asked> same = kind.asked.get(asked.firstSector);
        assert same != null;
        same.removeFirstOccurrence(asked);
        if (same.isEmpty()) {
            kind.asked.remove(asked.firstSector);
        }
    }

    private void end(Asked asked, long atNs) {
        times.q2c().add(atNs - asked.timeNs);
        onEnded.ended(asked.number, atNs);
    }
}
