package dev.spindle.control;

import dev.spindle.block.Sectors;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.queue.DiskStatistics;
import dev.spindle.queue.DiskStatistics.Group;
import dev.spindle.queue.QueueState;
import java.util.List;
import java.util.Locale;

/**
 * The files of /sys/block/NAME itself, in the formats of Linux 6.1 (block/genhd.c,
 * Documentation/ABI/stable/sysfs-block). Of a burner the figures are those of the queue in front of
 * the drive.
 */
final class BlockAttributes {
    private static final long NS_PER_MS = 1_000_000;
    private static final String DEV = "/dev/";

    static final List<Attribute> ALL =
            List.of(
                    Attribute.constant("alignment_offset", "0"),
                    Attribute.readOnly("dev", (_, minor) -> SysTree.MAJOR + ":" + minor),
                    Attribute.constant("discard_alignment", "0"),
                    Attribute.constant("ext_range", "1"),
                    Attribute.constant("hidden", "0"),
                    Attribute.readOnly("inflight", (device, _) -> inFlight(device)),
                    Attribute.constant("range", "1"),
                    Attribute.number("removable", device -> isRemovable(device) ? 1 : 0),
                    Attribute.number("ro", device -> device.queued().isReadOnly() ? 1 : 0),
                    Attribute.number(
                            "size", device -> device.queued().capacityBytes() >> Sectors.SHIFT),
                    Attribute.readOnly("stat", (device, _) -> statistics(device)),
                    Attribute.readOnly("uevent", BlockAttributes::uevent));

    private BlockAttributes() {}

    private static boolean isRemovable(ControlledDevice device) {
        return device.config().drive() instanceof OpticalDriveConfig;
    }

    private static String uevent(ControlledDevice device, int minor) {
        String path = device.config().path();
        String node = path.startsWith(DEV) ? path.substring(DEV.length()) : device.name();
        return "MAJOR="
                + SysTree.MAJOR
                + "\nMINOR="
                + minor
                + "\nDEVNAME="
                + node
                + "\nDEVTYPE=disk";
    }

    private static String inFlight(ControlledDevice device) {
        QueueState state = device.queued().queue().state();
        return String.format(Locale.ROOT, "%8d %8d", state.readRequests(), state.writeRequests());
    }

    /** The seventeen columns of part_stat_show. */
    private static String statistics(ControlledDevice device) {
        QueueState state = device.queued().queue().state();
        DiskStatistics of = device.queued().queue().statistics();
        long spentNs =
                of.reads().spentNs()
                        + of.writes().spentNs()
                        + of.discards().spentNs()
                        + of.flushes().spentNs();
        return columns(of.reads())
                + ' '
                + columns(of.writes())
                + String.format(
                        Locale.ROOT,
                        " %8d %8d %8d ",
                        state.readRequests() + state.writeRequests(),
                        of.busyNs() / NS_PER_MS,
                        spentNs / NS_PER_MS)
                + columns(of.discards())
                + String.format(
                        Locale.ROOT,
                        " %8d %8d",
                        of.flushes().commands(),
                        of.flushes().spentNs() / NS_PER_MS);
    }

    private static String columns(Group group) {
        return String.format(
                Locale.ROOT,
                "%8d %8d %8d %8d",
                group.commands(),
                group.merges(),
                group.sectors(),
                group.spentNs() / NS_PER_MS);
    }
}
