package dev.spindle.drive.optical.mmc;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.optical.DiscOperation;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import dev.spindle.drive.optical.OpticalDrive;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A burner as the commands of MMC-5 show it. What it answers is the state of the drive and its disc
 * at that moment; of its own it keeps the mode pages, the door's lock and what the host has not
 * been told. Owned by the loop that owns the device.
 */
public final class MmcDrive {
    private final OpticalDrive burner;
    private final MmcIdentity identity;
    private final Inquiry inquiry;
    private final ModePages modes;
    private final Features features;
    private final DiscReports reports;
    private final TableOfContents toc;
    private final DiscStructures structures;
    private final Speeds speeds;
    private final DiscCommands discWork;
    private final Tray tray;

    public MmcDrive(OpticalDrive burner, MmcIdentity identity) {
        this.burner = burner;
        this.identity = identity;
        DiscView disc = new DiscView(burner, identity);
        inquiry = new Inquiry(identity);
        tray = new Tray(burner);
        speeds = new Speeds(burner, identity);
        modes = new ModePages(burner, disc, speeds, tray);
        features = new Features(disc, identity);
        reports = new DiscReports(disc);
        toc = new TableOfContents(disc);
        structures = new DiscStructures(disc);
        discWork = new DiscCommands(burner, disc);
    }

    /**
     * The blocks that a command moves, as far as the host's buffer takes them; empty where it moves
     * none, or none now: then {@link #carryOut} says why.
     */
    public Optional<MmcTransfer> plan(Cdb cdb, HostData host) {
        Optional<MmcCommand> command = MmcCommand.of(cdb.opcode());
        if (command.isEmpty() || tray.attention() != null) {
            return Optional.empty();
        }
        return MmcTransfer.of(cdb, command.get())
                .filter(transfer -> transfer.moves(host))
                .filter(_ -> isPossible(command.get(), cdb, host))
                .map(transfer -> transfer.within(host));
    }

    private boolean isPossible(MmcCommand command, Cdb cdb, HostData host) {
        try {
            requireMedium(0);
            checkTransfer(command, cdb, host);
            return true;
        } catch (CheckCondition _) {
            return false;
        }
    }

    /** What its end means in the words of MMC. */
    public MmcReply ended(
            MmcTransfer transfer, BlockStatus status, long failedOffsetBytes, byte[] data) {
        if (status == BlockStatus.OK) {
            return new MmcReply.Good(data);
        }
        boolean isWrite = transfer.operation() != BlockOperation.READ;
        Sense sense =
                switch (status) {
                    case OK -> Sense.NONE;
                    case READ_ONLY -> Sense.WRITE_PROTECTED;
                    case IO_ERROR -> ofIoError(isWrite);
                    case NO_SPACE, INVALID, NOT_SUPPORTED, WOULD_BLOCK, SHUTDOWN ->
                            Sense.INTERNAL_TARGET_FAILURE;
                };
        boolean isPlaceKnown = failedOffsetBytes >= 0 && sense.key() == 0x3;
        return new MmcReply.Check(
                isPlaceKnown ? sense.at(DiscView.blockOf(failedOffsetBytes)) : sense);
    }

    private Sense ofIoError(boolean isWrite) {
        if (burner.isTrayOpen()) {
            return Sense.TRAY_OPEN;
        }
        if (!isWrite) {
            return Sense.UNRECOVERED_READ_ERROR;
        }
        return burner.discState().isWritable() ? Sense.WRITE_ERROR : Sense.ILLEGAL_MODE_FOR_TRACK;
    }

    /** A command's outcome, and when it ends. */
    public record Outcome(MmcReply reply, long endNs) {}

    /**
     * Carries out a command that moves no blocks. While {@link #isBusy} the drive need not be asked
     * to begin it.
     */
    public Outcome carryOut(Cdb cdb, HostData host, long nowNs) {
        MmcCall call = new MmcCall(cdb, host, nowNs);
        try {
            MmcCommand command =
                    MmcCommand.of(cdb.opcode())
                            .orElseThrow(() -> new CheckCondition(Sense.INVALID_OPCODE));
            requireReady(command, nowNs);
            byte[] whole = answer(command, call);
            int most = Math.min(host.inBytes(), command.allocationBytes(cdb));
            byte[] answer = whole.length <= most ? whole : Arrays.copyOf(whole, most);
            return new Outcome(new MmcReply.Good(answer), call.endNs());
        } catch (CheckCondition e) {
            return new Outcome(new MmcReply.Check(e.sense()), call.endNs());
        }
    }

    /** The answer's data, whole: it is cut to what the command allows. */
    private byte[] answer(MmcCommand command, MmcCall call) throws CheckCondition {
        return switch (command) {
            case TEST_UNIT_READY, SEND_OPC_INFORMATION -> nothing();
            case REQUEST_SENSE -> requestSense(call);
            case FORMAT_UNIT -> discWork.format(call);
            case INQUIRY -> inquiry.answer(call.cdb());
            case START_STOP_UNIT -> tray.startStop(call);
            case PREVENT_ALLOW_MEDIUM_REMOVAL -> tray.prevent(call);
            case READ_FORMAT_CAPACITIES -> reports.formatCapacities();
            case READ_CAPACITY -> reports.capacity();
            case READ_10,
                    WRITE_10,
                    WRITE_AND_VERIFY_10,
                    SYNCHRONIZE_CACHE,
                    READ_12,
                    WRITE_12,
                    READ_CD ->
                    transfer(call);
            case SEEK_10 -> seek(call);
            case READ_TOC -> toc.answer(call.cdb());
            case GET_CONFIGURATION -> features.configuration(call.cdb());
            case GET_EVENT_STATUS_NOTIFICATION -> tray.event(call.cdb());
            case READ_DISC_INFORMATION -> reports.discInformation(call.cdb());
            case READ_TRACK_INFORMATION -> reports.trackInformation(call.cdb());
            case MODE_SELECT_10 -> modes.select(call);
            case MODE_SENSE_10 -> modes.sense(call.cdb());
            case CLOSE_TRACK_SESSION -> discWork.close(call);
            case READ_BUFFER_CAPACITY -> speeds.bufferCapacity(call);
            case BLANK -> discWork.blank(call);
            case GET_PERFORMANCE -> speeds.performance(call.cdb());
            case READ_DISC_STRUCTURE -> structures.answer(call.cdb());
            case SET_STREAMING -> speeds.setStreaming(call);
            case SET_CD_SPEED -> speeds.setSpeed(call);
            case MECHANISM_STATUS -> tray.mechanism();
        };
    }

    /** True while an operation on the whole disc goes on; most commands are refused meanwhile. */
    public boolean isBusy() {
        return burner.discOperation() != null;
    }

    private void requireReady(MmcCommand command, long nowNs) throws CheckCondition {
        switch (command.needs()) {
            case NOTHING -> {}
            case DRIVE -> tray.tellAttention();
            case MEDIUM -> {
                tray.tellAttention();
                requireMedium(nowNs);
            }
        }
    }

    private void requireMedium(long nowNs) throws CheckCondition {
        CheckCondition.require(!burner.isTrayOpen(), Sense.TRAY_OPEN);
        Sense progress = progress(nowNs);
        if (progress != null) {
            throw new CheckCondition(progress);
        }
    }

    /** That of an operation on the disc; null where there is none. */
    private @Nullable Sense progress(long nowNs) {
        DiscOperation operation = burner.discOperation();
        if (operation == null) {
            return null;
        }
        Sense kind =
                switch (operation) {
                    case FORMAT, QUICK_FORMAT -> Sense.FORMAT_IN_PROGRESS;
                    case BLANK, QUICK_BLANK -> Sense.OPERATION_IN_PROGRESS;
                    case FINALISE -> Sense.LONG_WRITE_IN_PROGRESS;
                };
        return kind.done(burner.discOperationShare(nowNs));
    }

    static byte[] nothing() {
        return new byte[0];
    }

    /** The sense of every failure went with it, so only what goes on is left to tell. */
    private byte[] requestSense(MmcCall call) {
        Sense attention = tray.takeAttention();
        Sense progress = progress(call.nowNs());
        Sense told = attention != null ? attention : progress != null ? progress : Sense.NONE;
        return told.bytes();
    }

    private byte[] seek(MmcCall call) throws CheckCondition {
        CheckCondition.require(call.cdb().u32(2) < identity.capacityBlocks(), Sense.OUT_OF_RANGE);
        return nothing();
    }

    /** A transfer that came here is refused, or moves nothing. */
    private byte[] transfer(MmcCall call) throws CheckCondition {
        MmcCommand command = MmcCommand.of(call.cdb().opcode()).orElseThrow();
        checkTransfer(command, call.cdb(), call.host());
        boolean moves =
                MmcTransfer.of(call.cdb(), command)
                        .filter(transfer -> transfer.moves(call.host()))
                        .isPresent();
        // What was refused when it came might be done now: the host may try again.
        CheckCondition.require(!moves, Sense.BECOMING_READY);
        return nothing();
    }

    private void checkTransfer(MmcCommand command, Cdb cdb, HostData host) throws CheckCondition {
        Optional<MmcTransfer> transfer = MmcTransfer.of(cdb, command);
        if (transfer.isEmpty() || transfer.get().operation() == BlockOperation.FLUSH) {
            return;
        }
        if (command == MmcCommand.READ_CD) {
            requireUserDataOfCd(cdb);
        }
        if (transfer.get().operation() == BlockOperation.WRITE) {
            checkWrite(transfer.get(), host);
        } else {
            boolean isBlank = burner.discState() == MediumState.BLANK;
            boolean isWithin = transfer.get().endBlock() <= identity.capacityBlocks();
            CheckCondition.require(isWithin && !isBlank, Sense.OUT_OF_RANGE);
        }
    }

    /** The 2048 bytes of mode 1, all that a disc here has. */
    private void requireUserDataOfCd(Cdb cdb) throws CheckCondition {
        CheckCondition.require(
                burner.profile().medium() == MediumKind.CD_RW, Sense.CANNOT_READ_FORMAT);
        int sectorType = cdb.u8(1) >> 2 & 7;
        CheckCondition.require(sectorType == 0 || sectorType == 2, Sense.ILLEGAL_MODE_FOR_TRACK);
        CheckCondition.requireField(cdb.u8(9) == 0x10 && (cdb.u8(10) & 7) == 0);
    }

    private void checkWrite(MmcTransfer write, HostData host) throws CheckCondition {
        CheckCondition.require(
                !identity.isWriteProtected() && burner.discState() != MediumState.WRITE_PROTECTED,
                Sense.WRITE_PROTECTED);
        CheckCondition.require(
                burner.discState() != MediumState.READ_ONLY, Sense.INCOMPATIBLE_MEDIUM);
        CheckCondition.require(burner.discState().isWritable(), Sense.ILLEGAL_MODE_FOR_TRACK);
        CheckCondition.require(write.endBlock() <= identity.capacityBlocks(), Sense.OUT_OF_RANGE);
        CheckCondition.require(isWhole(write), Sense.INVALID_ADDRESS_FOR_WRITE);
        CheckCondition.require(write.lengthBytes() <= host.out().length, Sense.DATA_PHASE_ERROR);
    }

    private boolean isWhole(MmcTransfer write) {
        int packet = burner.profile().medium().packetBlocks();
        boolean endsAPacket =
                write.endBlock() % packet == 0 || write.endBlock() == identity.capacityBlocks();
        return burner.profile().medium().takesPartsOfPackets()
                || (write.block() % packet == 0 && endsAPacket);
    }
}
