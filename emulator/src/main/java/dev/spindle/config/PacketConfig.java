package dev.spindle.config;

import java.util.Map;

/**
 * A packet writer. The marks are as written; the driver's way of correcting them is the packet
 * writer's own.
 *
 * @param packets how many may be in work at once
 * @param congestionOn not positive for no limit
 * @param congestionOff not positive for on - 100
 * @param waitNs how long an incomplete packet waits
 */
public record PacketConfig(
        int packets,
        PacketPolicyKind policy,
        int congestionOn,
        int congestionOff,
        PacketSchedulerKind scheduler,
        long waitNs) {
    public PacketConfig {
        Checks.requireRange("packets", packets, 1, Integer.MAX_VALUE);
        Checks.requireRange("wait", waitNs, 0, Long.MAX_VALUE);
    }

    /** With values changed; those for other parts of the device change nothing here. */
    public PacketConfig tuned(Map<Tunable, TunableValue> values) {
        PacketConfig tuned = this;
        for (Map.Entry<Tunable, TunableValue> value : values.entrySet()) {
            tuned = tuned.tuned(value.getKey(), value.getValue());
        }
        return tuned;
    }

    private PacketConfig tuned(Tunable tunable, TunableValue value) {
        return switch (tunable) {
            case PACKET_POLICY ->
                    new PacketConfig(
                            packets,
                            word(PacketPolicyKind.class, value),
                            congestionOn,
                            congestionOff,
                            scheduler,
                            waitNs);
            case PACKET_SCHEDULER ->
                    new PacketConfig(
                            packets,
                            policy,
                            congestionOn,
                            congestionOff,
                            word(PacketSchedulerKind.class, value),
                            waitNs);
            case PACKET_CONGESTION_ON -> withMarks(count(value), congestionOff);
            case PACKET_CONGESTION_OFF -> withMarks(congestionOn, count(value));
            case PACKET_WAIT ->
                    new PacketConfig(
                            packets,
                            policy,
                            congestionOn,
                            congestionOff,
                            scheduler,
                            ((TunableValue.Span) value).ns());
            // The rest is of the queue and the drive.
            default -> this;
        };
    }

    /** The wait as a conf file has it. */
    public String waitText() {
        return OpticalKeys.WAIT.type().render(waitNs);
    }

    /** With other marks. */
    public PacketConfig withMarks(int on, int off) {
        return new PacketConfig(packets, policy, on, off, scheduler, waitNs);
    }

    private static int count(TunableValue value) {
        return ((TunableValue.Count) value).count();
    }

    private static <E extends Enum<E>> E word(Class<E> type, TunableValue value) {
        return type.cast(((TunableValue.Word) value).word());
    }
}
