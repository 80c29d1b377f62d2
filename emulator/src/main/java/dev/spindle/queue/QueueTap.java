package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import org.jspecify.annotations.Nullable;

/**
 * Where a listener is put on a queue: while there is none, each step costs one comparison. Owned by
 * the loop that owns the device.
 */
public final class QueueTap {
    private @Nullable QueueListener listener;

    /** Null for nobody. */
    public void listen(@Nullable QueueListener newListener) {
        listener = newListener;
    }

    /** A whole request. */
    public void request(BioStep step, BlockRequest request, Submitter submitter, long atNs) {
        QueueListener told = listener;
        if (told != null) {
            told.bio(step, request, request.offsetBytes(), request.lengthBytes(), submitter, atNs);
        }
    }

    /** What has not been admitted of a request has ended. */
    void cutShort(BlockRequest request, Submitter submitter, long atNs) {
        QueueListener told = listener;
        if (told != null) {
            long in = request.admittedBytes();
            told.bio(
                    BioStep.ENDED,
                    request,
                    request.offsetBytes() + in,
                    request.lengthBytes() - in,
                    submitter,
                    atNs);
        }
    }

    void part(BioStep step, RequestPart part, Submitter submitter, long atNs) {
        QueueListener told = listener;
        if (told != null) {
            told.bio(step, part.request(), part.offsetBytes(), part.lengthBytes(), submitter, atNs);
        }
    }

    /** A part goes in that does not reach its request's end. */
    void cut(RequestPart part, Submitter submitter, long atNs) {
        if (listener != null && endBytes(part) < endBytes(part.request())) {
            part(BioStep.SPLIT, part, submitter, atNs);
        }
    }

    private static long endBytes(RequestPart part) {
        return part.offsetBytes() + part.lengthBytes();
    }

    private static long endBytes(BlockRequest request) {
        return request.offsetBytes() + request.lengthBytes();
    }

    /** A part has joined a command, at its end or in front. */
    void merged(RequestPart part, DriveCommand into, Submitter submitter, long atNs) {
        if (listener != null) {
            boolean isInFront = into.firstPart() == part;
            part(isInFront ? BioStep.FRONT_MERGED : BioStep.BACK_MERGED, part, submitter, atNs);
        }
    }

    void command(CommandStep step, DriveCommand command, long atNs) {
        QueueListener told = listener;
        if (told != null) {
            told.command(step, command, atNs);
        }
    }

    void plug(PlugStep step, int commands, int submitterId, long atNs) {
        QueueListener told = listener;
        if (told != null) {
            told.plug(step, commands, submitterId, atNs);
        }
    }
}
