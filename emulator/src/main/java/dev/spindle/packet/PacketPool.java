package dev.spindle.packet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The packets: free ones, those whose data is worth keeping first, and those in work. A few, so
 * looking through them costs nothing.
 */
final class PacketPool {
    private final ArrayDeque<Packet> free = new ArrayDeque<>();
    private final List<Packet> active = new ArrayList<>();

    void add(Packet packet) {
        free.addLast(packet);
    }

    boolean hasFree() {
        return !free.isEmpty();
    }

    /** In the order they were begun. */
    List<Packet> active() {
        return active;
    }

    boolean isActive(long zone) {
        for (Packet packet : active) {
            if (packet.zone() == zone) {
                return true;
            }
        }
        return false;
    }

    /** The packet in work for a zone, if a piece that comes now can still go with it. */
    @Nullable Packet openFor(long zone) {
        for (Packet packet : active) {
            if (packet.zone() == zone && packet.takesMore()) {
                return packet;
            }
        }
        return null;
    }

    /** The free packet that last had that zone, else the last of the list, to be begun. */
    Packet take(long zone) {
        Packet taken = takeOf(zone);
        if (taken == null) {
            taken = free.removeLast();
        }
        active.addLast(taken);
        return taken;
    }

    private @Nullable Packet takeOf(long zone) {
        for (Iterator<Packet> packets = free.iterator(); packets.hasNext(); ) {
            Packet packet = packets.next();
            if (packet.isCached() && packet.zone() == zone) {
                packets.remove();
                return packet;
            }
        }
        return null;
    }

    /** Back to the free ones. */
    void release(Packet packet) {
        active.remove(packet);
        if (packet.isCached()) {
            free.addFirst(packet);
        } else {
            free.addLast(packet);
        }
    }

    /** Those in work and the free ones, by what they are about. */
    Map<PacketState, Integer> countStates() {
        Map<PacketState, Integer> counts = new EnumMap<>(PacketState.class);
        for (PacketState state : PacketState.values()) {
            counts.put(state, 0);
        }
        counts.put(PacketState.IDLE, free.size());
        for (Packet packet : active) {
            counts.merge(packet.state(), 1, Integer::sum);
        }
        return counts;
    }
}
