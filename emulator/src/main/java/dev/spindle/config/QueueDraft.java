package dev.spindle.config;

import java.util.Optional;
import java.util.OptionalInt;

/** A queue's settings while one of them is changed: they are checked together, when all are set. */
final class QueueDraft {
    private int nrRequests;
    private int maxSectorsKb;
    private ElevatorKind elevator;
    private boolean hardCap;
    private OptionalInt congestionOn;
    private OptionalInt congestionOff;
    private final int ringSize;

    QueueDraft(QueueConfig config) {
        nrRequests = config.nrRequests();
        maxSectorsKb = config.maxSectorsKb();
        elevator = config.elevator();
        hardCap = config.hardCap();
        congestionOn = config.congestionOn();
        congestionOff = config.congestionOff();
        ringSize = config.ringSize();
    }

    void set(Tunable tunable, TunableValue value) {
        switch (tunable) {
            case NR_REQUESTS -> nrRequests = count(value).orElseThrow();
            case MAX_SECTORS_KB -> maxSectorsKb = count(value).orElseThrow();
            case CONGESTION_ON -> congestionOn = count(value);
            case CONGESTION_OFF -> congestionOff = count(value);
            case HARD_CAP -> hardCap = ((TunableValue.Switch) value).isOn();
            case ELEVATOR -> elevator = ((TunableValue.Elevator) value).kind();
            case READ_AHEAD,
                    WRITE_BACK,
                    PACKET_POLICY,
                    PACKET_CONGESTION_ON,
                    PACKET_CONGESTION_OFF,
                    PACKET_SCHEDULER,
                    PACKET_WAIT -> {}
        }
    }

    /** What is wrong with the value just set, next to the others. */
    Optional<String> fault(Tunable changed, int maxHwSectorsKb) {
        return switch (changed) {
            case MAX_SECTORS_KB -> QueueReader.maxSectorsFault(maxSectorsKb, maxHwSectorsKb);
            case CONGESTION_OFF -> QueueReader.marksFault(congestionOn, congestionOff);
            case CONGESTION_ON ->
                    QueueReader.marksFault(congestionOn, congestionOff)
                            .map(text ->
                                    congestionOn.getAsInt()
                                            + " is less than congestion_off, allowed auto"
                                            + " or at least "
                                            + congestionOff.getAsInt());
            case NR_REQUESTS,
                    HARD_CAP,
                    ELEVATOR,
                    READ_AHEAD,
                    WRITE_BACK,
                    PACKET_POLICY,
                    PACKET_CONGESTION_ON,
                    PACKET_CONGESTION_OFF,
                    PACKET_SCHEDULER,
                    PACKET_WAIT ->
                    Optional.empty();
        };
    }

    QueueConfig build() {
        return new QueueConfig(
                nrRequests, maxSectorsKb, elevator, hardCap, congestionOn, congestionOff, ringSize);
    }

    private static OptionalInt count(TunableValue value) {
        return switch (value) {
            case TunableValue.Count(int count) -> OptionalInt.of(count);
            case TunableValue.Auto() -> OptionalInt.empty();
            case TunableValue.Switch _,
                    TunableValue.Elevator _,
                    TunableValue.Word _,
                    TunableValue.Span _ ->
                    throw new IllegalArgumentException("no number: " + value);
        };
    }
}
