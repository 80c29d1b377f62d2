package dev.spindle.packet;

import java.util.Map;

/**
 * A packet writer at one moment, for people who look.
 *
 * @param readKbPerSecond as last set, {@link ReadSpeed#MAX_KB_PER_SECOND} for the most
 * @param queued pieces in the write queue
 * @param pending requests the drive has
 * @param currentSector where the scan for the next zone begins
 * @param states how many packets are about each thing
 * @param sleeping submitters that wait for room
 * @param offenders how often each submitter did not honour congestion
 */
public record PacketReport(
        int readKbPerSecond,
        int queued,
        int pending,
        long currentSector,
        Map<PacketState, Integer> states,
        boolean isWriteCongested,
        int sleeping,
        Map<String, Long> offenders) {
    public PacketReport {
        states = Map.copyOf(states);
        offenders = Map.copyOf(offenders);
    }

    public int count(PacketState state) {
        return states.getOrDefault(state, 0);
    }
}
