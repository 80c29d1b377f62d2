package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.packet.DiscInfo.Track;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each thing the driver looked at before it opened a disc for writing. */
class DiscInfoTest {
    private static final Track GOOD = Track.formatted(32);

    private static Optional<OpenRefusal> cd(
            int type, boolean erasable, boolean reserved, Track track) {
        return new DiscInfo(DiscInfo.CD_RW, type, erasable, reserved, false, track).refusal(false);
    }

    private static Track track(boolean packet, boolean fixed, boolean reserved, boolean blank) {
        return new Track(packet, fixed, reserved, blank, 32, 1, 0);
    }

    private static Track sized(int frames, int dataMode) {
        return new Track(true, true, false, false, frames, dataMode, 0);
    }

    @Test
    void opensTheFourKindsItCanWrite() {
        for (int profile : new int[] {0x0a, 0x12, 0x13, 0x1a}) {
            assertThat(DiscInfo.formatted(profile, 16).refusal(false)).isEmpty();
        }
        for (int profile : new int[] {0x08, 0x09, 0x10, 0x11, 0x14, 0x1b, 0x2b}) {
            assertThat(DiscInfo.formatted(profile, 16).refusal(false))
                    .contains(OpenRefusal.PROFILE);
        }
    }

    @Test
    void looksAtTheDiscOfACdOnly() {
        assertThat(cd(0x20, true, false, GOOD)).isEmpty();
        assertThat(cd(0xff, true, false, GOOD)).contains(OpenRefusal.NO_TRACK);
        assertThat(cd(0x10, true, false, GOOD)).contains(OpenRefusal.DISC_TYPE);
        assertThat(cd(0, false, false, GOOD)).contains(OpenRefusal.NOT_ERASABLE);
        assertThat(cd(0, true, true, GOOD)).contains(OpenRefusal.RESERVED);
        DiscInfo dvd = new DiscInfo(DiscInfo.DVD_PLUS_RW, 0xff, false, true, false, GOOD);
        assertThat(dvd.refusal(false)).isEmpty();
    }

    @Test
    void wantsATrackInFixedPacketsSaveOnDvdPlusRwAndRam() {
        Track none = track(false, false, false, true);
        assertThat(cd(0, true, false, none)).contains(OpenRefusal.NO_PACKETS);
        assertThat(cd(0, true, false, track(true, false, false, false)))
                .contains(OpenRefusal.NO_PACKETS);
        for (int profile : new int[] {DiscInfo.DVD_PLUS_RW, DiscInfo.DVD_RAM}) {
            assertThat(new DiscInfo(profile, 0, true, false, false, none).refusal(false)).isEmpty();
        }
        DiscInfo dvd = new DiscInfo(DiscInfo.DVD_MINUS_RW, 0, true, false, false, none);
        assertThat(dvd.refusal(false)).contains(OpenRefusal.NO_PACKETS);
    }

    @Test
    void refusesATrackThatIsReservedAndBlank() {
        assertThat(cd(0, true, false, track(true, true, false, true))).isEmpty();
        assertThat(cd(0, true, false, track(true, true, true, false))).isEmpty();
        assertThat(cd(0, true, false, track(true, true, true, true)))
                .contains(OpenRefusal.TRACK_STATE);
    }

    @Test
    void refusesPacketsOfNoSizeAsNoSuchDevice() {
        assertThat(cd(0, true, false, sized(0, 1))).contains(OpenRefusal.PACKET_ZERO);
        assertThat(OpenRefusal.PACKET_ZERO.errno()).isEqualTo("ENXIO");
        DiscInfo old = new DiscInfo(DiscInfo.CD_RW, 0, true, false, false, sized(0, 1));
        assertThat(old.refusal(true)).as("Linux up to 2.6.12 assumed a size").isEmpty();
        assertThat(old.packetFrames(true)).isEqualTo(32);
    }

    @Test
    void refusesLargePacketsAndUnknownModes() {
        assertThat(cd(0, true, false, sized(128, 2))).isEmpty();
        assertThat(cd(0, true, false, sized(256, 1))).contains(OpenRefusal.PACKET_LARGE);
        assertThat(cd(0, true, false, sized(32, 0))).contains(OpenRefusal.DATA_MODE);
        assertThat(OpenRefusal.PACKET_LARGE.errno()).isEqualTo("EROFS");
    }

    @Test
    void refusesAProtectedDiscBeforeAllElse() {
        DiscInfo disc = new DiscInfo(0x08, 0xff, false, true, true, sized(0, 0));
        assertThat(disc.refusal(false)).contains(OpenRefusal.WRITE_PROTECTED);
    }
}
