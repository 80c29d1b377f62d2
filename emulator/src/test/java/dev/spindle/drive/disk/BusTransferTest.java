package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BusTransferTest {
    private final BusTransfer transfer = new BusTransfer();

    @Test
    void whatIsInTheBufferGoesAtTheSpeedOfTheBus() {
        transfer.beginBuffered(1000, 8, 100);
        assertThat(transfer.endNs()).isEqualTo(1800);
    }

    @Test
    void aSlowBusStartsWithTheFirstSectorAndEndsLate() {
        transfer.beginAtWatermark(1, 5, 8, 100);
        transfer.passes(0, 1000, 10, 8);
        assertThat(transfer.endNs()).isEqualTo(1010 + 5 + 800);
    }

    @Test
    void aFastBusEndsOneSectorAfterTheMedium() {
        transfer.beginAtWatermark(1, 0, 8, 10);
        transfer.passes(0, 1000, 100, 8);
        assertThat(transfer.endNs()).isEqualTo(1800 + 10);
    }

    @Test
    void nothingIsSentBeforeTheWatermark() {
        transfer.beginAtWatermark(8, 7, 8, 10);
        transfer.passes(0, 1000, 100, 8);
        assertThat(transfer.endNs()).isEqualTo(1800 + 7 + 80);
    }

    @Test
    void aSecondTrackIsWaitedFor() {
        transfer.beginAtWatermark(1, 0, 8, 100);
        transfer.passes(0, 1000, 10, 4);
        transfer.passes(4, 5000, 10, 4);
        assertThat(transfer.endNs()).isEqualTo(5010 + 400);
    }

    @Test
    void ofAHitInPartTheRestIsWaitedFor() {
        transfer.beginBuffered(1000, 8, 100);
        transfer.passes(6, 9000, 10, 2);
        assertThat(transfer.endNs()).isEqualTo(9010 + 200);
    }
}
