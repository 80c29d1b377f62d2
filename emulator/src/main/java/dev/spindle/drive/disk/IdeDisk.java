package dev.spindle.drive.disk;

import dev.spindle.block.Sectors;
import dev.spindle.drive.CommandInWork;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import org.jspecify.annotations.Nullable;

/**
 * An IDE disk: one command at a time, a buffer that reads ahead and reports writes early, and
 * mechanics behind it.
 *
 * <p>The time of a command is known when it is begun, because nothing but commands disturbs a disk:
 * what the mechanics do between two commands (going on reading after a read, putting written data
 * on the medium) is worked out when the next one arrives. So the disk needs no deadline but that of
 * its command.
 *
 * <pre>
 *   READ   in the buffer            overhead + bus
 *          being read ahead         the moment the head has passed the last sector, or the bus if that is later
 *          neither                  seek + rotation + media, the bus overlapping
 *   WRITE  write-back, room         overhead + bus; the medium follows
 *          write-back, no room      the same, once enough has been put on the medium
 *          write-through or FUA     seek + settle + rotation + media
 *   FLUSH                           until nothing is left to put on the medium
 * </pre>
 *
 * <p>Putting data on the medium goes track by track; a read that arrives waits for the end of the
 * track's piece in work, no more. Reading ahead stops when the segment is full, when there is
 * something to write, or when another command needs the arm.
 */
public final class IdeDisk implements Drive {
    private final DataMover mover;
    private final DiskController controller;

    private final CommandInWork current = new CommandInWork();

    public IdeDisk(DiskProfile profile, long capacityBytes, DataMover mover) {
        this.mover = mover;
        long sectors = Sectors.ofBytes(capacityBytes);
        DiskGeometry geometry =
                new DiskGeometry(profile.heads(), profile.headOrder(), profile.zones(), sectors);
        controller = new DiskController(profile, geometry, sectors);
    }

    @Override
    public boolean isReady() {
        return current.isNone();
    }

    @Override
    public void start(DriveCommand command, long nowNs) {
        current.begin(command, nowNs);
        mover.begin(command);
        double now = (double) nowNs;
        controller.catchUp(now);
        double endNs =
                switch (command.operation()) {
                    case READ -> controller.read(now, command.firstSector(), command.sectors());
                    case WRITE, WRITE_ZEROES ->
                            controller.write(
                                    now, command.firstSector(), command.sectors(), command.isFua());
                    case FLUSH -> controller.flush(now);
                    case DISCARD ->
                            controller.discard(now, command.firstSector(), command.endSector());
                    case COMMAND -> throw new AssertionError("a disk takes none: " + command);
                };
        current.endsAt(endNs);
        DiskMechanics mechanics = controller.mechanics();
        command.phases(
                (long) mechanics.seekNs(),
                (long) mechanics.rotationNs(),
                (long) mechanics.transferNs());
    }

    @Override
    public @Nullable DriveCommand poll(long nowNs) {
        return current.takeEnded(nowNs);
    }

    @Override
    public long nextDeadlineNs() {
        return current.nextDeadlineNs();
    }

    @Override
    public DriveSettings settings() {
        return controller.settings();
    }

    @Override
    public void apply(DriveSettings settings) {
        controller.apply(settings);
    }
}
