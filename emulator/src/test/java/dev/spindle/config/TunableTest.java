package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class TunableTest {
    private static final QueueConfig QUEUE =
            new QueueConfig(
                    128,
                    128,
                    ElevatorKind.NOOP,
                    true,
                    OptionalInt.of(100),
                    OptionalInt.of(50),
                    new WakeConfig(WakeOrder.FIFO, 1),
                    new PlugConfig(false, 4, 3_000_000),
                    ElevatorTunables.ofDefaults(),
                    4096);

    @Test
    void isFoundByItsPathAndByItsNameAlone() {
        for (Tunable tunable : Tunable.values()) {
            assertThat(Tunable.of(tunable.path())).isEqualTo(tunable);
        }
        assertThat(Tunable.of("nr_requests")).isEqualTo(Tunable.NR_REQUESTS);
        assertThat(Tunable.of("policy")).isEqualTo(Tunable.PACKET_POLICY);
    }

    @Test
    void aNameAloneThatTwoHaveIsTheQueues() {
        assertThat(Tunable.of("congestion_on")).isEqualTo(Tunable.CONGESTION_ON);
        assertThat(Tunable.of("packet/congestion_on")).isEqualTo(Tunable.PACKET_CONGESTION_ON);
    }

    @Test
    void refusesAnUnknownNameWithTheNearest() {
        assertThatThrownBy(() -> Tunable.of("queue/nr_request"))
                .hasMessage("queue/nr_request: cannot be tuned, did you mean queue/nr_requests?");
        assertThatThrownBy(() -> Tunable.of("nr_request"))
                .hasMessage("nr_request: cannot be tuned, did you mean nr_requests?");
    }

    @Test
    void parsesByTheRulesOfTheConfFile() {
        assertThat(Tunable.NR_REQUESTS.parse("1024")).isEqualTo(new TunableValue.Count(1024));
        assertThat(Tunable.CONGESTION_ON.parse("auto")).isEqualTo(new TunableValue.Auto());
        assertThat(Tunable.CONGESTION_OFF.parse("7")).isEqualTo(new TunableValue.Count(7));
        assertThat(Tunable.HARD_CAP.parse("off")).isEqualTo(new TunableValue.Switch(false));
        assertThat(Tunable.READ_AHEAD.parse("on")).isEqualTo(new TunableValue.Switch(true));
        assertThat(Tunable.WRITE_BACK.parse("on")).isEqualTo(new TunableValue.Switch(true));
        assertThat(Tunable.MAX_SECTORS_KB.parse("64")).isEqualTo(new TunableValue.Count(64));
        assertThat(Tunable.ELEVATOR.parse("noop"))
                .isEqualTo(new TunableValue.Elevator(ElevatorKind.NOOP));
    }

    @Test
    void refusesABadValueWithKeyAndRange() {
        assertThatThrownBy(() -> Tunable.NR_REQUESTS.parse("2"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("queue/nr_requests: 2 is out of range, allowed 4 to 65536");
    }

    @Test
    void changesOneSettingOfAQueue() {
        QueueConfig tuned = QUEUE.tuned(Tunable.NR_REQUESTS, new TunableValue.Count(1024), 128);
        assertThat(tuned.nrRequests()).isEqualTo(1024);
        assertThat(tuned.tuned(Tunable.NR_REQUESTS, new TunableValue.Count(128), 128))
                .isEqualTo(QUEUE);
    }

    @Test
    void refusesMoreThanTheControllerMoves() {
        assertThatThrownBy(
                        () -> QUEUE.tuned(Tunable.MAX_SECTORS_KB, new TunableValue.Count(256), 128))
                .hasMessage(
                        "queue/max_sectors_kb: 256 is more than the drive's max_hw_sectors_kb,"
                                + " allowed 4 to 128");
    }

    @Test
    void refusesMarksThatCross() {
        assertThatThrownBy(
                        () -> QUEUE.tuned(Tunable.CONGESTION_OFF, new TunableValue.Count(101), 128))
                .hasMessage(
                        "queue/congestion_off: 101 is more than congestion_on, allowed auto or 1 to"
                                + " 100");
        assertThatThrownBy(
                        () -> QUEUE.tuned(Tunable.CONGESTION_ON, new TunableValue.Count(49), 128))
                .hasMessage(
                        "queue/congestion_on: 49 is less than congestion_off, allowed auto or at"
                                + " least 50");
    }
}
