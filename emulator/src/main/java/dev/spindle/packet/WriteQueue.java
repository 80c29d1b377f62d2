package dev.spindle.packet;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be put into packets, in the order of the disc. The driver's tree was keyed by
 * sector and a zone's nodes taken together; so this one is keyed by the zone, with its pieces in
 * the order they came: of two writes to one frame the later wins.
 */
final class WriteQueue {
    private final TreeMap<Long, ArrayDeque<WritePiece>> zones = new TreeMap<>();
    private int pieces;
    private int longest;

    /** How many pieces wait. */
    int size() {
        return pieces;
    }

    /** The most there ever were. */
    int longest() {
        return longest;
    }

    void add(long zone, WritePiece piece) {
        zones.computeIfAbsent(zone, _ -> new ArrayDeque<>(4)).addLast(piece);
        pieces++;
        longest = Math.max(longest, pieces);
    }

    /**
     * The first zone at or after a sector, and round again from the lowest, that is not busy; null
     * when there is none.
     */
    @Nullable Long next(long fromSector, LongPredicate isBusy) {
        Long first = firstFree(zones.tailMap(fromSector, true), isBusy);
        return first != null ? first : firstFree(zones.headMap(fromSector, false), isBusy);
    }

    private static @Nullable Long firstFree(
            Map<Long, ArrayDeque<WritePiece>> range, LongPredicate isBusy) {
        for (Long zone : range.keySet()) {
            if (!isBusy.test(zone)) {
                return zone;
            }
        }
        return null;
    }

    /** Takes all there is for a zone. */
    ArrayDeque<WritePiece> take(long zone) {
        ArrayDeque<WritePiece> taken = zones.remove(zone);
        assert taken != null;
        pieces -= taken.size();
        return taken;
    }
}
