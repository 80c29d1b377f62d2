package dev.spindle.trace;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.Sectors;
import dev.spindle.drive.DriveCommand;
import dev.spindle.queue.BioStep;
import dev.spindle.queue.CommandStep;
import dev.spindle.queue.PlugStep;
import dev.spindle.queue.QueueListener;
import dev.spindle.queue.Submitter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Makes a record of each step of a queue. A submitter passes for a process, its number for the pid;
 * its name goes before the first record that has it. Owned by the loop that owns the device.
 *
 * <p>Times never go back within a trace: a step that is told of late, after a later one, is given
 * the time of that. In virtual time there is none.
 */
public final class BlkTraceEncoder implements QueueListener {
    /** Whom a record is laid to that is nobody's: a timer's. */
    private static final int NOBODY = 0;

    private final TraceDevice device;
    private final RecordSink sink;
    private final TraceClock clock;
    private final ByteBuffer record;
    private final BitSet named = new BitSet();

    /**
     * Makes one.
     *
     * @param clock shared by all encoders of one file
     */
    public BlkTraceEncoder(TraceDevice device, RecordSink sink, TraceClock clock) {
        this(device, sink, clock, ByteOrder.nativeOrder());
    }

    BlkTraceEncoder(TraceDevice device, RecordSink sink, TraceClock clock, ByteOrder order) {
        this.device = device;
        this.sink = sink;
        this.clock = clock;
        record = ByteBuffer.allocate(RecordLayout.MOST_BYTES).order(order);
    }

    /** The time of day at the trace's beginning; goes first. */
    public void timestamp(long atNs, long epochSeconds, int nanoseconds) {
        begin(
                RecordLayout.NOTIFY_TIMESTAMP | (Categories.NOTIFY << Categories.SHIFT),
                NOBODY,
                atNs);
        record.putInt((int) epochSeconds).putInt(nanoseconds);
        end();
    }

    @Override
    public void bio(
            BioStep step,
            BlockRequest request,
            long offsetBytes,
            long lengthBytes,
            Submitter submitter,
            long atNs) {
        int pid = pid(submitter, atNs);
        BlockStatus status = step == BioStep.ENDED ? request.status() : BlockStatus.OK;
        int kind = kind(request.operation(), request.isFua());
        int word = action(step).word(request.isReadAhead() ? kind | Categories.AHEAD : kind);
        begin(word, pid, atNs);
        place(Sectors.ofBytes(offsetBytes), lengthBytes, request.operation(), status);
        if (step == BioStep.SPLIT) {
            pdu(Sectors.ofBytes(offsetBytes + lengthBytes));
        }
        end();
    }

    @Override
    public void command(CommandStep step, DriveCommand command, long atNs) {
        BlockStatus status = step == CommandStep.COMPLETED ? command.status() : BlockStatus.OK;
        int word = action(step).word(kind(command.operation(), command.isFua()));
        begin(word, command.submitterId(), atNs);
        place(
                command.firstSector(),
                Sectors.toBytes(command.sectors()),
                command.operation(),
                status);
        end();
    }

    @Override
    public void plug(PlugStep step, int commands, int submitterId, long atNs) {
        if (submitterId == NOBODY) {
            name(NOBODY, "spindle", atNs);
        }
        begin(action(step).word(0), submitterId, atNs);
        if (step != PlugStep.PLUGGED) {
            pdu(commands);
        }
        end();
    }

    private int pid(Submitter submitter, long atNs) {
        name(submitter.id(), submitter.name(), atNs);
        return submitter.id();
    }

    private void name(int pid, String name, long atNs) {
        if (named.get(pid)) {
            return;
        }
        begin(RecordLayout.NOTIFY_PROCESS | (Categories.NOTIFY << Categories.SHIFT), pid, atNs);
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        int length = Math.min(bytes.length, RecordLayout.NAME_BYTES - 1);
        record.put(bytes, 0, length).put(new byte[RecordLayout.NAME_BYTES - length]);
        if (end()) {
            named.set(pid);
        }
    }

    private void begin(int word, int pid, long atNs) {
        boolean isNotification = (word & (Categories.NOTIFY << Categories.SHIFT)) != 0;
        record.clear();
        record.putInt(RecordLayout.MAGIC)
                .putInt(isNotification ? 0 : clock.nextSequence())
                .putLong(clock.at(atNs))
                .putLong(0)
                .putInt(0)
                .putInt(word)
                .putInt(pid)
                .putInt(device.number())
                .putInt(0)
                .putInt(0);
    }

    private void place(
            long sector, long lengthBytes, BlockOperation operation, BlockStatus status) {
        if (operation != BlockOperation.FLUSH && operation != BlockOperation.COMMAND) {
            record.putLong(RecordLayout.SECTOR, sector);
            record.putInt(
                    RecordLayout.LENGTH, (int) Math.min(lengthBytes, TraceEvent.MAX_LENGTH_BYTES));
        }
        record.putShort(RecordLayout.ERROR, (short) -Errno.of(status));
    }

    /** The kernel writes it big-endian everywhere. */
    private void pdu(long number) {
        ByteOrder order = record.order();
        record.order(ByteOrder.BIG_ENDIAN).putLong(number).order(order);
    }

    private boolean end() {
        int pduBytes = record.position() - RecordLayout.BYTES;
        record.putShort(RecordLayout.PDU_LENGTH, (short) pduBytes);
        return sink.put(record.flip());
    }

    private static int kind(BlockOperation operation, boolean isFua) {
        int fua = isFua ? Categories.FUA | Categories.SYNC : 0;
        return switch (operation) {
            case READ -> Categories.READ | fua;
            case WRITE, WRITE_ZEROES -> Categories.WRITE | fua;
            case DISCARD -> Categories.WRITE | Categories.DISCARD | fua;
            case FLUSH -> Categories.WRITE | Categories.FLUSH | Categories.SYNC;
            case COMMAND -> Categories.READ | Categories.PC;
        };
    }

    private static TraceAction action(BioStep step) {
        return switch (step) {
            case QUEUED -> TraceAction.QUEUE;
            case SPLIT -> TraceAction.SPLIT;
            case BACK_MERGED -> TraceAction.BACK_MERGE;
            case FRONT_MERGED -> TraceAction.FRONT_MERGE;
            case GOT_REQUEST -> TraceAction.GET_REQUEST;
            case SLEPT -> TraceAction.SLEEP_REQUEST;
            case ENDED -> TraceAction.COMPLETE;
        };
    }

    private static TraceAction action(CommandStep step) {
        return switch (step) {
            case INSERTED -> TraceAction.INSERT;
            case ISSUED -> TraceAction.ISSUE;
            case COMPLETED -> TraceAction.COMPLETE;
        };
    }

    private static TraceAction action(PlugStep step) {
        return switch (step) {
            case PLUGGED -> TraceAction.PLUG;
            case UNPLUGGED -> TraceAction.UNPLUG;
            case UNPLUGGED_BY_TIMER -> TraceAction.UNPLUG_TIMER;
        };
    }
}
