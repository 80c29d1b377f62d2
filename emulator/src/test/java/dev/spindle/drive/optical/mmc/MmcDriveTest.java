package dev.spindle.drive.optical.mmc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each command by an example, and the refusals. */
class MmcDriveTest {
    private static final HostData TAKES_64K = new HostData(new byte[0], 1 << 16);

    private final MmcFixture dvd = MmcFixture.dvdPlusRw();

    @Test
    void inquiryNamesTheDrive() {
        byte[] data = dvd.bytes(0x12, 0, 0, 0, 36, 0);
        assertThat(data[0]).isEqualTo((byte) 5);
        assertThat(new String(data, 8, 24, US_ASCII)).isEqualTo("SPINDLE Burner          ");
        assertThat(dvd.bytes(0x12, 1, 0x80, 0, 36, 0)).endsWith("sr0".getBytes(US_ASCII));
        assertThat(dvd.answer(0x12, 1, 0x83, 0, 255, 0).get(1)).isEqualTo((byte) 0x83);
        assertThat(dvd.answer(0x12, 0, 0, 0, 5, 0).capacity()).isEqualTo(5);
        assertThat(dvd.refusal(0x12, 1, 0x99, 0, 36, 0)).isEqualTo("5/24/00");
        assertThat(dvd.refusal(0x12, 0, 0x80, 0, 36, 0)).isEqualTo("5/24/00");
    }

    @Test
    void whatItDoesNotKnowIsRefused() {
        assertThat(dvd.refusal(0x99)).isEqualTo("5/20/00");
        assertThat(dvd.refusal(0x85)).isEqualTo("5/20/00");
    }

    @Test
    void capacityIsTheDiscs() {
        ByteBuffer data = dvd.answer(0x25);
        assertThat(data.getInt(0)).isEqualTo(MmcFixture.BLOCKS - 1);
        assertThat(data.getInt(4)).isEqualTo(2048);
        var blank = new MmcFixture(MediumKind.CD_RW, MediumState.BLANK);
        assertThat(blank.answer(0x25).getInt(0)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "CD_RW, FORMATTED, 0x0a",
        "CD_RW, READ_ONLY, 0x08",
        "DVD_PLUS_RW, FORMATTED, 0x1a",
        "DVD_MINUS_RW, FORMATTED, 0x13",
        "DVD_MINUS_RW, BLANK, 0x14",
        "DVD_RAM, WRITE_PROTECTED, 0x12",
        "DVD_RAM, READ_ONLY, 0x10"
    })
    void theProfileIsThatOfTheDisc(MediumKind medium, MediumState state, int profile) {
        var fixture = new MmcFixture(medium, state);
        ByteBuffer all = fixture.answer(0x46, 0, 0, 0, 0, 0, 0, 4, 0, 0);
        assertThat(all.getShort(6)).isEqualTo((short) profile);
        assertThat(all.getInt(0)).isEqualTo(all.capacity() - 4);
        assertThat(features(all)).contains(0x0000, 0x0001, 0x0003, 0x0010, 0x0108);
        ByteBuffer current = fixture.answer(0x46, 1, 0, 0, 0, 0, 0, 4, 0, 0);
        boolean isWritable = state == MediumState.FORMATTED;
        assertThat(features(current).contains(writing(medium))).isEqualTo(isWritable);
    }

    private static int writing(MediumKind medium) {
        return switch (medium) {
            case CD_RW, DVD_MINUS_RW -> 0x0026;
            case DVD_PLUS_RW -> 0x002a;
            case DVD_RAM -> 0x0020;
        };
    }

    private static List<Integer> features(ByteBuffer data) {
        List<Integer> codes = new ArrayList<>();
        for (int at = 8; at < data.capacity(); at += 4 + data.get(at + 3)) {
            codes.add((int) data.getShort(at));
        }
        return codes;
    }

    @Test
    void discAndTrackAreThoseOfAFormattedDisc() {
        ByteBuffer disc = dvd.answer(0x51, 0, 0, 0, 0, 0, 0, 0, 34, 0);
        assertThat(disc.get(2)).as("erasable, complete").isEqualTo((byte) 0x1e);
        assertThat(disc.get(7) & 3).as("formatted").isEqualTo(3);
        ByteBuffer track = dvd.answer(0x52, 1, 0, 0, 0, 1, 0, 0, 48, 0);
        assertThat(track.getInt(24)).isEqualTo(MmcFixture.BLOCKS);
        assertThat(track.getInt(20)).as("packet").isEqualTo(16);
        assertThat(dvd.refusal(0x52, 1, 0, 0, 0, 2, 0, 0, 48, 0)).isEqualTo("5/24/00");
        assertThat(dvd.refusal(0x52, 0, 0, 0, 0x10, 0, 0, 0, 48, 0)).isEqualTo("5/21/00");
        var blank = new MmcFixture(MediumKind.CD_RW, MediumState.BLANK);
        assertThat(blank.answer(0x51, 0, 0, 0, 0, 0, 0, 0, 34, 0).get(2)).isEqualTo((byte) 0x10);
        ByteBuffer invisible = blank.answer(0x52, 1, 0, 0, 0, 0xff, 0, 0, 36, 0);
        assertThat(invisible.get(6) & 0x40).isNotZero();
        assertThat(invisible.getInt(16)).isEqualTo(MmcFixture.BLOCKS);
    }

    @Test
    void theTableOfContentsHasOneTrack() {
        ByteBuffer toc = dvd.answer(0x43, 0, 0, 0, 0, 0, 0, 0, 20, 0);
        assertThat(toc.getShort(0)).isEqualTo((short) 18);
        assertThat(toc.get(14) & 0xff).isEqualTo(0xaa);
        assertThat(toc.getInt(16)).isEqualTo(MmcFixture.BLOCKS);
        ByteBuffer time = dvd.answer(0x43, 2, 0, 0, 0, 0, 0xaa, 0, 12, 0);
        assertThat(time.getInt(8)).as("56:46 past two seconds").isEqualTo(0x00_00_38_2e);
        assertThat(dvd.answer(0x43, 0, 1, 0, 0, 0, 0, 0, 12, 0).getShort(0)).isEqualTo((short) 10);
        assertThat(dvd.refusal(0x43, 0, 2, 0, 0, 0, 0, 0, 48, 0)).isEqualTo("5/24/00");
        assertThat(dvd.refusal(0x43, 0, 0, 0, 0, 0, 2, 0, 12, 0)).isEqualTo("5/24/00");
        var cd = new MmcFixture(MediumKind.CD_RW, MediumState.FORMATTED);
        assertThat(cd.answer(0x43, 0, 2, 0, 0, 0, 0, 0, 48, 0).capacity()).isEqualTo(48);
    }

    @Test
    void thePhysicalFormatIsThatOfTheStandard() {
        ByteBuffer layer = dvd.answer(0xad, 0, 0, 0, 0, 0, 0, 0, 8, 4, 0, 0);
        assertThat(layer.get(4) & 0xff).isEqualTo(0x92);
        assertThat(layer.getInt(8)).isEqualTo(0x30000);
        assertThat(layer.getInt(12)).isEqualTo(0x30000 + MmcFixture.BLOCKS - 1);
        assertThat(dvd.answer(0xad, 0, 0, 0, 0, 0, 0, 0x11, 1, 4, 0, 0).capacity()).isEqualTo(260);
        var ram = new MmcFixture(MediumKind.DVD_RAM, MediumState.FORMATTED);
        assertThat(ram.refusal(0xad, 0, 0, 0, 0, 0, 0, 0x11, 1, 4, 0, 0)).isEqualTo("5/24/00");
        var cd = new MmcFixture(MediumKind.CD_RW, MediumState.FORMATTED);
        assertThat(cd.refusal(0xad, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0)).isEqualTo("5/30/02");
    }

    @Test
    void capabilitiesTellTheSpeeds() {
        ByteBuffer page = dvd.answer(0x5a, 0, 0x2a, 0, 0, 0, 0, 0, 255, 0);
        assertThat(page.get(8)).isEqualTo((byte) 0x2a);
        assertThat(page.getShort(8 + 18)).isEqualTo((short) 5540);
        assertThat(page.getShort(8 + 30)).isEqualTo((short) 2);
        assertThat(page.getShort(8 + 38)).isEqualTo((short) 3324);
        assertThat(dvd.refusal(0x5a, 0, 0x2b, 0, 0, 0, 0, 0, 255, 0)).isEqualTo("5/24/00");
        assertThat(dvd.refusal(0x5a, 0, 0xc5, 0, 0, 0, 0, 0, 255, 0)).isEqualTo("5/39/00");
    }

    @Test
    void writeParametersAreChangedAsFarAsTheDriveCan() {
        byte[] list = dvd.bytes(0x5a, 0, 0x05, 0, 0, 0, 0, 0, 60, 0);
        list[0] = 0;
        list[1] = 0;
        list[8 + 3] = (byte) 0xe5; // multi-session
        dvd.answerTo(list, 0x55, 0x10, 0, 0, 0, 0, 0, 0, 60, 0);
        ByteBuffer now = dvd.answer(0x5a, 0, 0x05, 0, 0, 0, 0, 0, 60, 0);
        assertThat(now.get(8 + 3)).isEqualTo((byte) 0xe5);
        list[8 + 2] = 0x41; // track at once
        assertThat(dvd.refusalOf(list, 0x55, 0x10, 0, 0, 0, 0, 0, 0, 60, 0)).isEqualTo("5/26/00");
        list[8 + 2] = 0x40;
        list[8 + 13] = 99; // packet size
        assertThat(dvd.refusalOf(list, 0x55, 0x10, 0, 0, 0, 0, 0, 0, 60, 0)).isEqualTo("5/26/00");
        assertThat(dvd.refusalOf(list, 0x55, 0x10, 0, 0, 0, 0, 0, 0, 40, 0)).isEqualTo("5/1a/00");
        assertThat(dvd.refusalOf(list, 0x55, 0x00, 0, 0, 0, 0, 0, 0, 60, 0)).isEqualTo("5/24/00");
    }

    @Test
    void speedsAreSetAndTold() {
        dvd.answer(0xbb, 0, 0xff, 0xff, 0x0d, 0x00, 0, 0, 0, 0, 0, 0); // 3328 kB/s
        assertThat(dvd.burner.writeSpeed()).isEqualTo(2.4);
        ByteBuffer list = ByteBuffer.allocate(28);
        list.putInt(12, 11080).putInt(16, 1000).putInt(20, 5540).putInt(24, 1000);
        dvd.answerTo(list.array(), 0xb6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 0);
        assertThat(dvd.burner.writeSpeed()).isEqualTo(4.0);
        list.putInt(24, 0);
        assertThat(dvd.refusalOf(list.array(), 0xb6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 0))
                .isEqualTo("5/26/00");
        ByteBuffer speeds = dvd.answer(0xac, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0);
        assertThat(speeds.getInt(8 + 12)).isEqualTo(5540);
        assertThat(speeds.getInt(24 + 12)).isEqualTo(3324);
        assertThat(dvd.answer(0xac, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0).capacity()).isEqualTo(8);
        assertThat(dvd.answer(0x5c, 0, 0, 0, 0, 0, 0, 0, 12, 0).getInt(8)).isEqualTo(2 << 20);
    }

    @Test
    void theTrayOpensUnlessLocked() {
        dvd.answer(0x1e, 0, 0, 0, 1, 0);
        assertThat(dvd.refusal(0x1b, 0, 0, 0, 2, 0)).isEqualTo("5/53/02");
        dvd.answer(0x1e, 0, 0, 0, 0, 0);
        dvd.answer(0x1b, 0, 0, 0, 2, 0);
        assertThat(dvd.refusal(0x00)).isEqualTo("2/3a/02");
        ByteBuffer removal = dvd.answer(0x4a, 1, 0, 0, 0x10, 0, 0, 0, 8, 0);
        assertThat(removal.get(4)).isEqualTo((byte) 3);
        assertThat(removal.get(5)).as("door open").isEqualTo((byte) 1);
        assertThat(dvd.answer(0x46, 1, 0, 0, 0, 0, 0, 4, 0, 0).getShort(6)).isZero();
        dvd.answer(0x1b, 0, 0, 0, 3, 0);
        assertThat(dvd.refusal(0x00)).isEqualTo("6/28/00");
        dvd.answer(0x00);
        assertThat(dvd.answer(0x4a, 1, 0, 0, 0x10, 0, 0, 0, 8, 0).get(4)).isEqualTo((byte) 2);
        assertThat(dvd.answer(0x4a, 1, 0, 0, 0x10, 0, 0, 0, 8, 0).get(4)).isZero();
        assertThat(dvd.refusal(0x4a, 0, 0, 0, 0x10, 0, 0, 0, 8, 0)).isEqualTo("5/24/00");
    }

    @Test
    void readsAndWritesAreTheDrives() {
        MmcTransfer read = plan(dvd, 0x28, 0, 0, 0, 0, 16, 0, 0, 4, 0);
        assertThat(read).isEqualTo(new MmcTransfer(BlockOperation.READ, 16, 4, false));
        MmcTransfer far = plan(dvd, 0xa8, 0, 0, 0, 0x0f, 0xff, 0, 0, 0, 1, 0, 0);
        assertThat(far.block()).isEqualTo(4095);
        assertThat(dvd.refusal(0x28, 0, 0, 0, 0x0f, 0xff, 0, 0, 2, 0)).isEqualTo("5/21/00");
        assertThat(dvd.answer(0x28, 0, 0, 0, 0, 0, 0, 0, 0, 0).capacity()).isZero();
        HostData block = new HostData(new byte[2048], 0);
        assertThat(dvd.drive.plan(MmcFixture.cdb(0x2a, 8, 0, 0, 0, 3, 0, 0, 1, 0), block))
                .hasValue(new MmcTransfer(BlockOperation.WRITE, 3, 1, true));
        assertThat(dvd.refusalOf(new byte[2048], 0x2a, 0, 0, 0, 0, 0, 0, 0, 2, 0))
                .isEqualTo("b/4b/00");
        assertThat(plan(dvd, 0x35).operation()).isEqualTo(BlockOperation.FLUSH);
        assertThat(dvd.drive.ended(read, BlockStatus.IO_ERROR, 17 * 2048, new byte[0]))
                .isEqualTo(new MmcReply.Check(Sense.UNRECOVERED_READ_ERROR.at(17)));
    }

    private static MmcTransfer plan(MmcFixture fixture, int... cdb) {
        return fixture.drive.plan(MmcFixture.cdb(cdb), TAKES_64K).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(MediumKind.class)
    void whatCannotBeWrittenIsRefused(MediumKind medium) {
        byte[] packet = new byte[2048 * medium.packetBlocks()];
        int[] whole = {0x2a, 0, 0, 0, 0, 0, 0, 0, medium.packetBlocks(), 0};
        int[] part = {0x2a, 0, 0, 0, 0, 1, 0, 0, 1, 0};
        var formatted = new MmcFixture(medium, MediumState.FORMATTED);
        boolean takesParts = medium.takesPartsOfPackets();
        assertThat(formatted.drive.plan(MmcFixture.cdb(part), new HostData(packet, 0)).isPresent())
                .isEqualTo(takesParts);
        if (!takesParts) {
            assertThat(formatted.refusalOf(packet, part)).isEqualTo("5/21/02");
        }
        assertThat(new MmcFixture(medium, MediumState.WRITE_PROTECTED).refusalOf(packet, whole))
                .isEqualTo("7/27/00");
        assertThat(new MmcFixture(medium, MediumState.FORMATTED, true).refusalOf(packet, whole))
                .isEqualTo("7/27/00");
        assertThat(new MmcFixture(medium, MediumState.READ_ONLY).refusalOf(packet, whole))
                .isEqualTo("5/30/00");
        assertThat(new MmcFixture(medium, MediumState.BLANK).refusalOf(packet, whole))
                .isEqualTo("5/64/00");
    }

    @Test
    void formattingTellsHowFarItIs() {
        var cd = new MmcFixture(MediumKind.CD_RW, MediumState.BLANK);
        ByteBuffer list = ByteBuffer.allocate(12);
        list.put(1, (byte) 0x82).putShort(2, (short) 8).putInt(4, -1);
        list.put(8, (byte) (0x10 << 2)).put(11, (byte) 32);
        cd.answerTo(list.array(), 0x04, 0x11, 0, 0, 0, 0);
        cd.nowNs = cd.burner.discOperationEndNs() / 2;
        assertThat(cd.refusal(0x00)).isEqualTo("2/04/04");
        ByteBuffer sense = cd.answer(0x03, 0, 0, 0, 18, 0);
        assertThat(sense.getShort(16) & 0xffff).as("half done").isBetween(0x7000, 0x9000);
        cd.answer(0x12, 0, 0, 0, 36, 0);
        cd.finish();
        cd.answer(0x00);
        assertThat(cd.burner.discState()).isEqualTo(MediumState.FORMATTED);
        list.put(11, (byte) 16);
        assertThat(cd.refusalOf(list.array(), 0x04, 0x11, 0, 0, 0, 0)).isEqualTo("5/26/00");
    }

    @Test
    void blankingAndClosingAreForDiscsThatKnowThem() {
        assertThat(dvd.refusal(0xa1, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).isEqualTo("5/30/00");
        dvd.answer(0x5b, 0, 1, 0, 0, 1, 0, 0, 0, 0);
        dvd.answer(0x5b, 1, 2, 0, 0, 0, 0, 0, 0, 0);
        assertThat(dvd.refusal(0x00)).isEqualTo("2/04/08");
        dvd.finish();
        dvd.answer(0x00);
        var minus = new MmcFixture(MediumKind.DVD_MINUS_RW, MediumState.FORMATTED);
        assertThat(minus.refusal(0xa1, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).isEqualTo("5/24/00");
        minus.answer(0xa1, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(minus.refusal(0x00)).isEqualTo("2/04/07");
        minus.finish();
        assertThat(minus.burner.discState()).isEqualTo(MediumState.BLANK);
    }

    @Test
    void formatCapacitiesNameTheFormatsOfTheDisc() {
        ByteBuffer data = dvd.answer(0x23, 0, 0, 0, 0, 0, 0, 1, 0, 0);
        assertThat(data.getInt(4)).isEqualTo(MmcFixture.BLOCKS);
        assertThat(data.get(8)).as("formatted").isEqualTo((byte) 2);
        assertThat((data.get(16) & 0xff) >> 2).isEqualTo(0x26);
        assertThat(dvd.answer(0xbd, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0).capacity()).isEqualTo(8);
    }
}
