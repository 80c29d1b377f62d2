package dev.spindle.trace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Takes the records of one device and works out where its requests spent their time. */
public final class StageRecorder implements RecordSink {
    private final StageMatcher matcher = new StageMatcher((_, _) -> {});
    private final Optional<RecordSink> next;

    /** {@code next} is given the records as well. */
    public StageRecorder(Optional<RecordSink> next) {
        this.next = next;
    }

    public StageTimes times() {
        return matcher.times();
    }

    @Override
    public boolean put(ByteBuffer record) {
        ByteBuffer view = record.duplicate().order(ByteOrder.nativeOrder());
        int pduBytes = record.remaining() - RecordLayout.BYTES;
        TraceEvent event = TraceEvent.decode(view, record.position(), pduBytes);
        if (!event.isNotification()) {
            matcher.add(event);
        }
        return next.isEmpty() || next.get().put(record);
    }
}
