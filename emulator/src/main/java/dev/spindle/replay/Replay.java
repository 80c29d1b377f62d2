package dev.spindle.replay;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.queue.Submitter;
import dev.spindle.time.DeviceClock;
import dev.spindle.trace.BlkTraceEncoder;
import dev.spindle.trace.RecordSink;
import dev.spindle.trace.RecordedRequest;
import dev.spindle.trace.StageRecorder;
import dev.spindle.trace.StageTimes;
import dev.spindle.trace.Times;
import dev.spindle.trace.TraceClock;
import dev.spindle.trace.TraceDevice;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Makes recorded requests of a device in virtual time, all on account of one submitter, which
 * sleeps when the pool is empty as the process of old did. One thread; the same trace and device
 * give the same times.
 */
public final class Replay {
    private record Due(long timeNs, int request) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(timeNs, other.timeNs);
            return byTime != 0 ? byTime : Integer.compare(request, other.request);
        }
    }

    private final List<RecordedRequest> requests;
    private final Target target;
    private final Pace pace;
    private final ByteBuffer data;
    private final Submitter submitter = new Submitter("replay", () -> {});
    private final PriorityQueue<Due> agenda = new PriorityQueue<>();
    private final ArrayDeque<BlockRequest> free = new ArrayDeque<>();
    private final Times all = new Times();
    private final Map<BlockOperation, Times> byOperation = new EnumMap<>(BlockOperation.class);
    private final StageRecorder above;
    private final StageRecorder below;
    private long nowNs;
    private int ended;
    private int errors;
    private long bytes;

    private Replay(
            List<RecordedRequest> requests,
            Target target,
            Speed speed,
            Optional<RecordSink> trace) {
        this.requests = requests;
        this.target = target;
        pace = Pace.of(speed, requests);
        data = ByteBuffer.allocateDirect(longest(requests));
        TraceClock clock = new TraceClock();
        above = new StageRecorder(trace);
        below = target.isStacked() ? new StageRecorder(trace) : above;
        target.top().listen(new BlkTraceEncoder(TraceDevice.nbd(0), above, clock));
        if (target.isStacked()) {
            TraceDevice drive = new TraceDevice(TraceDevice.OPTICAL_MAJOR, 0);
            target.queue().listen(new BlkTraceEncoder(drive, below, clock));
        }
    }

    /**
     * Replays all of it. An IllegalArgumentException says which request the device cannot take, or
     * that the speed needs what the trace does not have.
     *
     * @param trace takes what a blktrace of the replay would hold
     */
    public static ReplayResult run(
            List<RecordedRequest> requests,
            Target target,
            Speed speed,
            Overhang overhang,
            Optional<RecordSink> trace) {
        if (speed instanceof Speed.Dependent
                && requests.stream().noneMatch(RecordedRequest::isEndKnown)) {
            throw new IllegalArgumentException(
                    "speed dependent: the trace does not say when requests ended;"
                            + " a blktrace with events of kind C does");
        }
        List<RecordedRequest> fitted = Fitting.fit(requests, target, overhang);
        return new Replay(fitted, target, speed, trace).run();
    }

    private static int longest(List<RecordedRequest> requests) {
        long longest = 0;
        for (RecordedRequest each : requests) {
            if (each.operation() == BlockOperation.WRITE) {
                longest = Math.max(longest, each.lengthBytes());
            }
        }
        return Math.toIntExact(longest);
    }

    private ReplayResult run() {
        pace.begin(this::plan);
        long firstNs = agenda.element().timeNs;
        while (ended < requests.size()) {
            Due next = agenda.peek();
            long dueNs = target.top().nextDeadlineNs();
            long stepNs = next == null ? dueNs : Math.min(next.timeNs, dueNs);
            if (stepNs == DeviceClock.NEVER) {
                throw new IllegalStateException(
                        "nothing is due, yet " + (requests.size() - ended) + " requests wait");
            }
            nowNs = Math.max(nowNs, stepNs);
            if (dueNs < nowNs) {
                target.top().advance(nowNs);
            }
            makeDue();
            target.top().advance(nowNs);
        }
        StageTimes stages = new StageTimes(above.times().q2c(), below.times().d2c());
        return new ReplayResult(errors, bytes, nowNs - firstNs, all, byOperation, stages);
    }

    private void plan(long timeNs, int request) {
        agenda.add(new Due(Math.max(timeNs, nowNs), request));
    }

    private void makeDue() {
        for (Due due = agenda.peek(); due != null && due.timeNs <= nowNs; due = agenda.peek()) {
            agenda.poll();
            pace.made(due.request, nowNs, this::plan);
            make(due.request);
        }
    }

    private void make(int index) {
        RecordedRequest recorded = requests.get(index);
        BlockRequest reused = free.pollFirst();
        BlockRequest request = reused == null ? new BlockRequest(this::end) : reused;
        request.prepare(recorded.operation(), recorded.offsetBytes(), recorded.lengthBytes(), index)
                .withFua(recorded.isFua() && recorded.operation() == BlockOperation.WRITE)
                .withReadAhead(
                        recorded.isReadAhead() && recorded.operation() == BlockOperation.READ);
        if (recorded.operation() == BlockOperation.WRITE) {
            request.withData(data, 0);
        }
        target.top().submit(request, submitter, nowNs);
    }

    private void end(BlockRequest request, long atNs) {
        ended++;
        long tookNs = atNs - request.submittedNs();
        all.add(tookNs);
        byOperation.computeIfAbsent(request.operation(), _ -> new Times()).add(tookNs);
        if (request.status() != BlockStatus.OK) {
            errors++;
        } else if (request.operation().isTransfer()) {
            bytes += request.lengthBytes();
        }
        pace.ended((int) request.cookie(), atNs, this::plan);
        free.addFirst(request);
    }
}
