package dev.spindle.drive.optical.mmc;

import dev.spindle.drive.optical.OpticalDrive;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The tray with its lock, and what the host is to be told of it: START STOP UNIT, PREVENT ALLOW
 * MEDIUM REMOVAL, GET EVENT STATUS NOTIFICATION, MECHANISM STATUS.
 */
final class Tray {
    private static final int START = 0x01;
    private static final int LOAD_EJECT = 0x02;
    private static final int FORMAT_LAYER = 0x04;
    private static final int CLASS_OPERATIONAL = 1;
    private static final int CLASS_POWER = 2;
    private static final int CLASS_MEDIA = 4;
    private static final int CLASS_BUSY = 6;
    private static final int CLASSES =
            1 << CLASS_OPERATIONAL | 1 << CLASS_POWER | 1 << CLASS_MEDIA | 1 << CLASS_BUSY;
    private static final int NO_EVENT_AVAILABLE = 0x80;
    private static final int POWER_ACTIVE = 1;
    private static final int DOOR_OPEN = 0x01;
    private static final int MEDIUM_PRESENT = 0x02;
    private static final int MECHANISM_DOOR_OPEN = 0x10;
    private static final int MECHANISM_BYTES = 8;

    /** Of the media class, by MMC's numbers. */
    private enum MediaEvent {
        NONE(0),
        NEW_MEDIA(2),
        REMOVAL(3);

        private final int code;

        MediaEvent(int code) {
            this.code = code;
        }
    }

    private final OpticalDrive burner;
    private boolean isLocked;
    private MediaEvent event = MediaEvent.NONE;
    private @Nullable Sense attention;

    Tray(OpticalDrive burner) {
        this.burner = burner;
    }

    boolean isLocked() {
        return isLocked;
    }

    /** What the next command is to be told instead of being carried out; null where nothing is. */
    @Nullable Sense attention() {
        return attention;
    }

    @Nullable Sense takeAttention() {
        Sense taken = attention;
        attention = null;
        return taken;
    }

    void tellAttention() throws CheckCondition {
        Sense taken = takeAttention();
        if (taken != null) {
            throw new CheckCondition(taken);
        }
    }

    byte[] prevent(MmcCall call) {
        isLocked = call.cdb().has(4, 0x01);
        return MmcDrive.nothing();
    }

    byte[] startStop(MmcCall call) throws CheckCondition {
        Cdb cdb = call.cdb();
        CheckCondition.requireField(!cdb.has(4, FORMAT_LAYER));
        CheckCondition.require(burner.discOperation() == null, Sense.OPERATION_IN_PROGRESS);
        boolean isPowerChange = (cdb.u8(4) & 0xf0) != 0;
        if (!isPowerChange && cdb.has(4, LOAD_EJECT)) {
            move(!cdb.has(4, START), call);
        }
        return MmcDrive.nothing();
    }

    private void move(boolean open, MmcCall call) throws CheckCondition {
        if (open == burner.isTrayOpen()) {
            return;
        }
        CheckCondition.require(!open || !isLocked, Sense.REMOVAL_PREVENTED);
        call.endsAt(burner.moveTray(open, call.nowNs()));
        event = open ? MediaEvent.REMOVAL : MediaEvent.NEW_MEDIA;
        attention = open ? null : Sense.MEDIUM_CHANGED;
    }

    /** The class with something to tell that comes first, else the first that was asked for. */
    byte[] event(Cdb cdb) throws CheckCondition {
        CheckCondition.requireField(cdb.has(1, 0x01));
        int asked = cdb.u8(4) & CLASSES;
        ByteBuffer data = ByteBuffer.allocate(asked == 0 ? 4 : 8);
        data.put(3, (byte) CLASSES);
        if (asked == 0) {
            data.putShort(0, (short) 2);
            data.put(2, (byte) NO_EVENT_AVAILABLE);
            return data.array();
        }
        boolean hasMediaEvent = event != MediaEvent.NONE && (asked & 1 << CLASS_MEDIA) != 0;
        int told = hasMediaEvent ? CLASS_MEDIA : Integer.numberOfTrailingZeros(asked);
        data.putShort(0, (short) 6);
        data.put(2, (byte) told);
        if (told == CLASS_MEDIA) {
            data.put(4, (byte) event.code);
            data.put(5, (byte) (burner.isTrayOpen() ? DOOR_OPEN : MEDIUM_PRESENT));
            // An answer cut short of the event has not told it.
            event = cdb.u16(7) > 4 ? MediaEvent.NONE : event;
        } else if (told == CLASS_POWER) {
            data.put(5, (byte) POWER_ACTIVE);
        } else if (told == CLASS_BUSY && burner.discOperation() != null) {
            data.put(5, (byte) 1);
        }
        return data.array();
    }

    byte[] mechanism() {
        ByteBuffer data = ByteBuffer.allocate(MECHANISM_BYTES);
        data.put(1, (byte) (burner.isTrayOpen() ? MECHANISM_DOOR_OPEN : 0));
        return data.array();
    }
}
