package dev.spindle.disksim;

import dev.spindle.drive.disk.DiskProfile;
import java.util.List;

/**
 * A drive as its parameter files describe it.
 *
 * @param name what the file calls it
 * @param isBusKnown false when the files leave the time of a sector on the bus at zero: the bus was
 *     then the host's affair
 * @param notes what in the files is not used, and what was assumed
 */
public record MeasuredDrive(
        String name, DiskProfile profile, boolean isBusKnown, List<String> notes) {
    public MeasuredDrive {
        notes = List.copyOf(notes);
    }
}
