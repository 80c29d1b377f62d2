package dev.spindle.drive.optical.mmc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.drive.DataMover;
import dev.spindle.drive.optical.Burners;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.media.VoidStore;
import java.nio.ByteBuffer;
import java.util.List;

/** A burner with a disc of 4096 blocks, asked in its own language. */
final class MmcFixture {
    static final int BLOCKS = 4096;
    private static final long CAPACITY = (long) BLOCKS * MediumKind.BLOCK_BYTES;

    final OpticalDrive burner;
    final MmcDrive drive;
    long nowNs;

    MmcFixture(MediumKind medium, MediumState state) {
        this(medium, state, false);
    }

    MmcFixture(MediumKind medium, MediumState state, boolean isWriteProtected) {
        burner =
                new OpticalDrive(
                        Burners.in(state, medium, 4),
                        CAPACITY,
                        DataMover.inline(new VoidStore(CAPACITY)));
        MmcIdentity identity =
                new MmcIdentity(
                        "Burner",
                        "sr0",
                        BLOCKS,
                        medium.packetBlocks(),
                        List.of(2.4, 4.0),
                        isWriteProtected);
        drive = new MmcDrive(burner, identity);
    }

    static MmcFixture dvdPlusRw() {
        return new MmcFixture(MediumKind.DVD_PLUS_RW, MediumState.FORMATTED);
    }

    static Cdb cdb(int... bytes) {
        byte[] cdb = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            cdb[i] = (byte) bytes[i];
        }
        return Cdb.of(cdb);
    }

    MmcReply ask(byte[] out, int... bytes) {
        return drive.carryOut(cdb(bytes), new HostData(out, 1 << 16), nowNs).reply();
    }

    /** What a command gives that must go well. */
    ByteBuffer answer(int... bytes) {
        return answerTo(new byte[0], bytes);
    }

    ByteBuffer answerTo(byte[] out, int... bytes) {
        return ByteBuffer.wrap(good(ask(out, bytes)));
    }

    /** The same as bytes. */
    byte[] bytes(int... bytes) {
        return good(ask(new byte[0], bytes));
    }

    private static byte[] good(MmcReply reply) {
        assertThat(reply).isInstanceOf(MmcReply.Good.class);
        return ((MmcReply.Good) reply).data();
    }

    /** Why a command is refused, as key, code and qualifier. */
    String refusal(int... bytes) {
        return refusalOf(new byte[0], bytes);
    }

    String refusalOf(byte[] out, int... bytes) {
        MmcReply reply = ask(out, bytes);
        assertThat(reply).isInstanceOf(MmcReply.Check.class);
        Sense sense = ((MmcReply.Check) reply).sense();
        return String.format("%x/%02x/%02x", sense.key(), sense.code(), sense.qualifier());
    }

    /** Lets the operation on the disc end. */
    void finish() {
        nowNs = burner.discOperationEndNs();
        assertThat(burner.poll(nowNs)).isNull();
    }
}
