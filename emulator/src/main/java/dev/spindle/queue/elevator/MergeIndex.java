package dev.spindle.queue.elevator;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.Sectors;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waiting command that ends or begins at a sector (the kernel's hash of requests by their
 * end, and its search by their start). Reads are found for reads, writes for writes of the same
 * FUA.
 */
final class MergeIndex {
    private final SectorTable byEnd = new SectorTable();
    private final SectorTable byStart = new SectorTable();

    void add(Waiting waiting) {
        if (waiting.isMergeable()) {
            byEnd.put(key(waiting, waiting.command.endSector()), waiting);
            byStart.put(key(waiting, waiting.command.firstSector()), waiting);
        }
    }

    /** Before its sectors change or it leaves. */
    void remove(Waiting waiting) {
        if (waiting.isMergeable()) {
            byEnd.remove(key(waiting, waiting.command.endSector()), waiting);
            byStart.remove(key(waiting, waiting.command.firstSector()), waiting);
        }
    }

    /** The command the part could be appended to. */
    @Nullable Waiting endingBefore(RequestPart part, long maxSectors) {
        long first = part.offsetBytes() >> Sectors.SHIFT;
        return fitting(byEnd.get(key(part.request(), first)), part, maxSectors);
    }

    /** The command the part could be put in front of. */
    @Nullable Waiting beginningAfter(RequestPart part, long maxSectors) {
        long end = (part.offsetBytes() + part.lengthBytes()) >> Sectors.SHIFT;
        return fitting(byStart.get(key(part.request(), end)), part, maxSectors);
    }

    /** The command right before this one, if both together keep within the limit. */
    @Nullable Waiting neighbourBefore(Waiting waiting, long maxSectors) {
        return fitting(byEnd.get(key(waiting, waiting.command.firstSector())), waiting, maxSectors);
    }

    @Nullable Waiting neighbourAfter(Waiting waiting, long maxSectors) {
        return fitting(byStart.get(key(waiting, waiting.command.endSector())), waiting, maxSectors);
    }

    private static @Nullable Waiting fitting(
            @Nullable Waiting found, RequestPart part, long maxSectors) {
        boolean fits =
                found != null
                        && Waiting.isMergeable(part.request().operation())
                        && found.command.sectors() + (part.lengthBytes() >> Sectors.SHIFT)
                                <= maxSectors;
        return fits ? found : null;
    }

    private static @Nullable Waiting fitting(
            @Nullable Waiting found, Waiting other, long maxSectors) {
        boolean fits =
                found != null
                        && found != other
                        && found.command.sectors() + other.command.sectors() <= maxSectors;
        return fits ? found : null;
    }

    private static long key(Waiting waiting, long sector) {
        DriveCommand command = waiting.command;
        return key(sector, command.operation().isWrite(), command.isFua());
    }

    private static long key(BlockRequest request, long sector) {
        return key(sector, request.operation().isWrite(), request.isFua());
    }

    private static long key(long sector, boolean isWrite, boolean isFua) {
        return sector << 2 | (isWrite ? 2 : 0) | (isFua ? 1 : 0);
    }
}
