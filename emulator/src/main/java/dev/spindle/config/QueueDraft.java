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
    private WakeConfig wake;
    private PlugConfig plug;
    private ElevatorTunables elevators;
    private final int ringSize;

    QueueDraft(QueueConfig config) {
        nrRequests = config.nrRequests();
        maxSectorsKb = config.maxSectorsKb();
        elevator = config.elevator();
        hardCap = config.hardCap();
        congestionOn = config.congestionOn();
        congestionOff = config.congestionOff();
        wake = config.wake();
        plug = config.plug();
        elevators = config.elevators();
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
            case WAKE_ORDER ->
                    wake = new WakeConfig(((TunableValue.Wake) value).order(), wake.seed());
            case WAKE_SEED -> wake = new WakeConfig(wake.order(), Math.toIntExact(number(value)));
            case PLUG, UNPLUG_THRESHOLD, UNPLUG_DELAY -> setPlug(tunable, value);
            case READ_AHEAD,
                    WRITE_BACK,
                    PACKET_POLICY,
                    PACKET_CONGESTION_ON,
                    PACKET_CONGESTION_OFF,
                    PACKET_SCHEDULER,
                    PACKET_WAIT,
                    TIME_SCALE,
                    SPEED -> {}
            case DEADLINE_READ_EXPIRE,
                    DEADLINE_WRITE_EXPIRE,
                    WRITES_STARVED,
                    FIFO_BATCH,
                    AS_READ_EXPIRE,
                    AS_WRITE_EXPIRE,
                    READ_BATCH_EXPIRE,
                    WRITE_BATCH_EXPIRE,
                    ANTIC_EXPIRE,
                    QUANTUM,
                    QUEUED,
                    CFQ_READ_EXPIRE,
                    CFQ_WRITE_EXPIRE,
                    BACK_SEEK_MAX,
                    BACK_SEEK_PENALTY ->
                    elevators = elevators.with(tunable, number(value));
        }
    }

    private void setPlug(Tunable tunable, TunableValue value) {
        plug =
                new PlugConfig(
                        tunable == Tunable.PLUG
                                ? ((TunableValue.Switch) value).isOn()
                                : plug.isOn(),
                        tunable == Tunable.UNPLUG_THRESHOLD
                                ? Math.toIntExact(number(value))
                                : plug.threshold(),
                        tunable == Tunable.UNPLUG_DELAY ? number(value) : plug.delayNs());
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
            // The rest stands alone: its range is all there is to check.
            default -> Optional.empty();
        };
    }

    QueueConfig build() {
        return new QueueConfig(
                nrRequests,
                maxSectorsKb,
                elevator,
                hardCap,
                congestionOn,
                congestionOff,
                wake,
                plug,
                elevators,
                ringSize);
    }

    private static long number(TunableValue value) {
        return switch (value) {
            case TunableValue.Count(int count) -> count;
            case TunableValue.Span(long ns) -> ns;
            case TunableValue.Auto _,
                    TunableValue.Switch _,
                    TunableValue.Elevator _,
                    TunableValue.Word _,
                    TunableValue.Real _,
                    TunableValue.Wake _ ->
                    throw new IllegalArgumentException("no number: " + value);
        };
    }

    private static OptionalInt count(TunableValue value) {
        return switch (value) {
            case TunableValue.Count(int count) -> OptionalInt.of(count);
            case TunableValue.Auto() -> OptionalInt.empty();
            case TunableValue.Switch _,
                    TunableValue.Elevator _,
                    TunableValue.Word _,
                    TunableValue.Span _,
                    TunableValue.Real _,
                    TunableValue.Wake _ ->
                    throw new IllegalArgumentException("no number: " + value);
        };
    }
}
