package dev.spindle.control;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.config.ConfigException;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.DiscConfig;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.drive.optical.mmc.Cdb;
import dev.spindle.drive.optical.mmc.HostData;
import dev.spindle.drive.optical.mmc.MmcDrive;
import dev.spindle.drive.optical.mmc.MmcIdentity;
import dev.spindle.drive.optical.mmc.MmcReply;
import dev.spindle.drive.optical.mmc.MmcTransfer;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.queue.Submitter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A burner as programs reach it past the block layer: commands in its own language. They go into
 * the drive's own queue, in front of what waits there, and past the packet writer, as SG_IO on
 * /dev/sr0 goes past pktcdvd. Belongs to the device's loop; any thread may ask.
 */
final class ScsiControl {
    /** No command moves more, whatever the drive's controller could. */
    private static final int MAX_BYTES = 256 << 10;

    private static final int GOOD = 0;
    private static final int CHECK_CONDITION = 2;

    private final QueuedDevice device;
    private final OpticalDrive burner;
    private final MmcDrive drive;
    private final int maxBytes;
    private final Submitter submitter = new Submitter("packet commands", () -> {});

    ScsiControl(DeviceConfig config, QueuedDevice device, OpticalDrive burner) {
        this.device = device;
        this.burner = burner;
        maxBytes = (int) Math.min(MAX_BYTES, config.drive().maxHwSectorsKb() * 1024L);
        drive = new MmcDrive(burner, identity(config, burner));
    }

    private static MmcIdentity identity(DeviceConfig config, OpticalDrive burner) {
        MediumKind medium = burner.profile().medium();
        Optional<OpticalDriveConfig> optical =
                config.drive() instanceof OpticalDriveConfig it
                        ? Optional.of(it)
                        : Optional.empty();
        int packetBytes =
                config.disc()
                        .map(DiscConfig::packetBytes)
                        .orElse(medium.packetBlocks() * MediumKind.BLOCK_BYTES);
        return new MmcIdentity(
                optical.map(OpticalDriveConfig::model).orElse(medium.label()),
                config.name(),
                Math.toIntExact(config.sizeBytes() / MediumKind.BLOCK_BYTES),
                packetBytes / MediumKind.BLOCK_BYTES,
                optical.map(OpticalDriveConfig::writeSpeeds).orElse(List.of(burner.writeSpeed())),
                config.readOnly());
    }

    /** Completes with the command's status and what it gave, or with a {@link ConfigException}. */
    CompletableFuture<Map<String, Object>> carryOut(ControlRequest.Scsi request) {
        int bytes = Math.max(request.inBytes(), request.out().length);
        if (bytes > maxBytes || request.inBytes() < 0) {
            throw new ConfigException(
                    "scsi: "
                            + Integer.toUnsignedString(bytes)
                            + " bytes are more than the "
                            + maxBytes
                            + " of a command");
        }
        if (request.cdb().length == 0 || request.cdb().length > Cdb.MAX_BYTES) {
            throw new ConfigException(
                    "scsi: a CDB of " + request.cdb().length + " bytes, allowed 1 to 16");
        }
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        HostData host = new HostData(request.out(), request.inBytes());
        device.loop().execute(() -> begin(Cdb.of(request.cdb()), host, answer));
        return answer;
    }

    private void begin(Cdb cdb, HostData host, CompletableFuture<Map<String, Object>> answer) {
        device.change(nowNs -> {
            device.machine().advance(nowNs);
            if (drive.isBusy()) {
                // It takes no other command, and answers by itself how far it is.
                answer.complete(fields(drive.carryOut(cdb, host, nowNs).reply(), 0));
            } else {
                device.queue().submit(request(cdb, host, answer), submitter, nowNs);
            }
        });
    }

    private BlockRequest request(
            Cdb cdb, HostData host, CompletableFuture<Map<String, Object>> answer) {
        return drive.plan(cdb, host)
                .map(transfer -> transfer(transfer, host, answer))
                .orElseGet(() -> command(cdb, host, answer));
    }

    private BlockRequest transfer(
            MmcTransfer transfer, HostData host, CompletableFuture<Map<String, Object>> answer) {
        boolean isRead = transfer.operation() == BlockOperation.READ;
        byte[] data = isRead ? new byte[(int) transfer.lengthBytes()] : host.out();
        BlockRequest request =
                new BlockRequest((ended, _) -> {
                    byte[] told = isRead ? within(data, host.inBytes()) : new byte[0];
                    MmcReply reply =
                            drive.ended(transfer, ended.status(), ended.failedOffsetBytes(), told);
                    answer.complete(fields(reply, (int) transfer.lengthBytes()));
                });
        return request.prepare(
                        transfer.operation(), transfer.offsetBytes(), transfer.lengthBytes(), 0)
                .withData(ByteBuffer.wrap(data), 0)
                .withFua(transfer.isFua())
                .withWaiter(true)
                .passingThrough();
    }

    private static byte[] within(byte[] data, int most) {
        return data.length <= most ? data : Arrays.copyOf(data, most);
    }

    private BlockRequest command(
            Cdb cdb, HostData host, CompletableFuture<Map<String, Object>> answer) {
        MmcReply[] reply = new MmcReply[1];
        BlockRequest request =
                new BlockRequest((_, _) -> {
                    if (device.machine() instanceof PacketWriter writer) {
                        writer.setWriteSpeed(burner.writeKbPerSecond());
                    }
                    answer.complete(fields(reply[0], host.out().length));
                });
        return request.prepare(BlockOperation.COMMAND, 0, 0, 0)
                .withWaiter(true)
                .withCommand(nowNs -> {
                    MmcDrive.Outcome outcome = drive.carryOut(cdb, host, nowNs);
                    reply[0] = outcome.reply();
                    return outcome.endNs();
                });
    }

    /** With how many bytes went either way. */
    private static Map<String, Object> fields(MmcReply reply, int sentBytes) {
        Map<String, Object> fields = new LinkedHashMap<>();
        switch (reply) {
            case MmcReply.Good(byte[] data) -> {
                fields.put("status", GOOD);
                fields.put("moved", data.length > 0 ? data.length : sentBytes);
                fields.put("data", Base64.getEncoder().encodeToString(data));
            }
            case MmcReply.Check check -> {
                fields.put("status", CHECK_CONDITION);
                fields.put("moved", 0);
                fields.put("sense", Base64.getEncoder().encodeToString(check.sense().bytes()));
            }
        }
        return fields;
    }
}
