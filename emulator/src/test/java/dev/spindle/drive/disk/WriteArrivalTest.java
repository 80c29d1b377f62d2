package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriteArrivalTest {
    private final WriteArrival arrival = new WriteArrival();

    @Test
    void eachSectorArrivesAfterTheOneBefore() {
        arrival.set(100, 110, 1000, 10, 1);
        assertThat(arrival.readyNs(100)).isEqualTo(1010);
        assertThat(arrival.readyNs(109)).isEqualTo(1100);
        assertThat(arrival.readyNs(99)).as("another write's").isNegative();
    }

    @Test
    void theMediumMayWaitForTheFirstFew() {
        arrival.set(100, 110, 1000, 10, 4);
        assertThat(arrival.readyNs(100)).isEqualTo(1040);
        assertThat(arrival.readyNs(105)).isEqualTo(1060);
    }

    @Test
    void aMediumFasterThanTheBusCatchesUpWithIt() {
        arrival.set(100, 110, 1000, 10, 1);
        assertThat(arrival.inTime(100, 10, 1010, 5)).isEqualTo(1);
        assertThat(arrival.inTime(100, 10, 1030, 5)).isEqualTo(5);
        assertThat(arrival.inTime(100, 10, 1100, 5)).isEqualTo(10);
        assertThat(arrival.inTime(100, 10, 1010, 20)).as("slower").isEqualTo(10);
    }
}
