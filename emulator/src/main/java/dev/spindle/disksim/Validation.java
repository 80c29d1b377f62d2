package dev.spindle.disksim;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.Sectors;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import dev.spindle.drive.disk.DiskGeometry;
import dev.spindle.drive.disk.DiskProfile;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.VoidStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A measured trace replayed in virtual time against the drive's model, in a closed loop: the next
 * request begins the trace's own think time after the model has ended the one before.
 *
 * @param profile the model; its bus may be fitted
 * @param isBusFitted true where that was worked out from the trace, since the files do not say
 */
public record Validation(
        MeasuredDrive drive,
        DiskProfile profile,
        boolean isBusFitted,
        ServiceTimes all,
        ServiceTimes reads,
        ServiceTimes writes) {
    private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

    /** Replays a trace file. */
    public static Validation of(MeasuredDrive drive, Path trace) throws DiskSimException {
        DiskProfile profile = drive.profile();
        long sectors =
                new DiskGeometry(profile.heads(), profile.headOrder(), profile.zones(), 0)
                        .sectors();
        List<MeasuredRequest> requests = MeasuredTrace.read(trace, sectors);
        if (drive.isBusKnown()) {
            return replay(drive, profile, sectors, requests);
        }
        double sectorNs = BusFit.sectorNs(requests);
        DiskProfile fitted =
                profile.withBus(
                        profile.bus()
                                .withSectorNs(
                                        Math.max(sectorNs, profile.bus().readSectorNs()),
                                        Math.max(sectorNs, profile.bus().writeSectorNs())));
        return replay(drive, fitted, sectors, requests);
    }

    private static Validation replay(
            MeasuredDrive drive,
            DiskProfile profile,
            long sectors,
            List<MeasuredRequest> requests) {
        long bytes = sectors * Sectors.BYTES;
        var disk = new IdeDisk(profile, bytes, DataMover.inline(new VoidStore(bytes)));
        var all = new ServiceTimes();
        var reads = new ServiceTimes();
        var writes = new ServiceTimes();
        var block = new BlockRequest((_, _) -> {});
        var part = new RequestPart();
        var command = new DriveCommand();
        long nowNs = 0;
        for (MeasuredRequest request : requests) {
            long offset = request.sector() * Sectors.BYTES;
            long length = (long) request.sectors() * Sectors.BYTES;
            BlockOperation operation =
                    request.isRead() ? BlockOperation.READ : BlockOperation.WRITE;
            block.prepare(operation, offset, length, 0).withData(NO_DATA, 0);
            disk.start(command.begin(part.set(block, offset, length), nowNs), nowNs);
            long endNs = disk.nextDeadlineNs();
            disk.poll(endNs);
            all.add(request.serviceNs(), endNs - nowNs);
            (request.isRead() ? reads : writes).add(request.serviceNs(), endNs - nowNs);
            nowNs = endNs + request.thinkNs();
        }
        return new Validation(drive, profile, !drive.isBusKnown(), all, reads, writes);
    }
}
