package dev.spindle.replay;

import dev.spindle.block.BlockOperation;
import dev.spindle.trace.RecordedRequest;
import java.util.ArrayList;
import java.util.List;

/** Makes requests such as a device takes of those of another, or says why that cannot be. */
final class Fitting {
    /** A write's data must be there to be moved. */
    static final long MAX_LENGTH_BYTES = 256L << 20;

    private final Target target;
    private final Overhang overhang;
    private final double scale;

    private Fitting(Target target, Overhang overhang, double scale) {
        this.target = target;
        this.overhang = overhang;
        this.scale = scale;
    }

    static List<RecordedRequest> fit(
            List<RecordedRequest> requests, Target target, Overhang overhang) {
        long spanBytes = 0;
        for (RecordedRequest each : requests) {
            spanBytes = Math.max(spanBytes, each.endBytes());
        }
        double scale = (double) target.capacityBytes() / Math.max(1, spanBytes);
        Fitting fitting = new Fitting(target, overhang, scale);
        List<RecordedRequest> fitted = new ArrayList<>(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            fitted.add(fitting.fit(requests.get(i), i + 1));
        }
        return fitted;
    }

    private RecordedRequest fit(RecordedRequest request, int number) {
        if (request.operation() == BlockOperation.FLUSH) {
            return request;
        }
        requireLength(request, number);
        long offsetBytes =
                switch (overhang) {
                    case REFUSE -> request.offsetBytes();
                    case WRAP -> within(request.offsetBytes() % target.capacityBytes(), request);
                    case SCALE -> within((long) (request.offsetBytes() * scale), request);
                };
        if (offsetBytes > target.capacityBytes() - request.lengthBytes()) {
            throw fault(
                    request,
                    number,
                    "is beyond the device's end, "
                            + target.capacityBytes()
                            + "; --wrap or --scale would bring it in");
        }
        if (offsetBytes % target.logicalBlockBytes() != 0) {
            throw notWhole(request, number);
        }
        return new RecordedRequest(
                request.timeNs(),
                request.operation(),
                offsetBytes,
                request.lengthBytes(),
                request.isFua(),
                request.isReadAhead(),
                request.endedNs());
    }

    private void requireLength(RecordedRequest request, int number) {
        if (request.lengthBytes() % target.logicalBlockBytes() != 0) {
            throw notWhole(request, number);
        }
        if (request.lengthBytes() > target.capacityBytes()) {
            throw fault(request, number, "is longer than the device, " + target.capacityBytes());
        }
        boolean hasData = request.operation() != BlockOperation.DISCARD;
        if (hasData && request.lengthBytes() > MAX_LENGTH_BYTES) {
            throw fault(request, number, "is longer than " + MAX_LENGTH_BYTES);
        }
    }

    /** On whole blocks, and so that it ends within the device. */
    private long within(long offsetBytes, RecordedRequest request) {
        long lastBytes = target.capacityBytes() - request.lengthBytes();
        return Math.min(offsetBytes - offsetBytes % target.logicalBlockBytes(), lastBytes);
    }

    private IllegalArgumentException notWhole(RecordedRequest request, int number) {
        return fault(
                request,
                number,
                "is not of whole blocks of the device, " + target.logicalBlockBytes());
    }

    private static IllegalArgumentException fault(
            RecordedRequest request, int number, String what) {
        return new IllegalArgumentException(
                "request %d, %s offset=%d length=%d, %s"
                        .formatted(
                                number,
                                request.operation(),
                                request.offsetBytes(),
                                request.lengthBytes(),
                                what));
    }
}
