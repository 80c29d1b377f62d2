package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.config.HostConfig;
import dev.spindle.metrics.LatencyHistogram;
import dev.spindle.queue.Submitter;
import dev.spindle.time.EventHeap;
import java.util.List;

/**
 * A program that opens a file O_DIRECT and keeps so many requests under way. The kernel maps the
 * pages of each bio and hands it in; whoever finds no free request sleeps there. With io_submit
 * nobody unplugs the queue; read and write do before they wait.
 */
public final class DirectJob {
    private static final int PAGE_BYTES = 4096;

    /** A request as the program makes it: within its files. */
    public record Access(BlockOperation operation, long fromBytes, long lengthBytes) {}

    /** What comes next. */
    public interface Source {
        boolean hasNext();

        Access next();
    }

    /**
     * How it works.
     *
     * @param depth requests under way at a time
     * @param unplugs before it waits
     * @param thinkNs before each request that follows another's end
     */
    public record Plan(HostConfig host, int depth, boolean unplugs, long thinkNs) {}

    private final String name;
    private final Plan plan;
    private final Source source;
    private final AddressSpace files;
    private final EventHeap events;
    private final SimulatedDevice device;
    private final LatencyHistogram latencies;
    private final Runnable onEnded;
    private final Processor processor;
    private final Submitter submitter;
    private List<AddressSpace.Span> bios = List.of();
    private int nextBio;
    private Request current = new Request(BlockOperation.READ, 0, 0);
    private int underWay;
    private boolean isSubmitting = true;
    private long submitNs;
    private long finishedNs;

    /** Told of what is under way. */
    private static final class Request {
        private final BlockOperation operation;
        private final long beganNs;
        private int left;

        Request(BlockOperation operation, long beganNs, int bios) {
            this.operation = operation;
            this.beganNs = beganNs;
            left = bios;
        }
    }

    /** Where a job's requests go. */
    public record Place(AddressSpace files, EventHeap events, SimulatedDevice device) {}

    /**
     * Not yet started.
     *
     * @param latencies take each request's, from its submission to its end
     */
    public DirectJob(
            String name,
            Plan plan,
            Source source,
            Place place,
            LatencyHistogram latencies,
            Runnable onEnded) {
        this.name = name;
        this.plan = plan;
        this.source = source;
        files = place.files;
        events = place.events;
        device = place.device;
        this.latencies = latencies;
        this.onEnded = onEnded;
        processor = new Processor(events);
        submitter = new Submitter(name, () -> events.after(0, name + " woken", this::nextBio));
    }

    public void start() {
        events.after(0, name, this::submit);
    }

    /** Makes requests until there are enough, or no more. */
    private void submit() {
        if (underWay == plan.depth || !source.hasNext()) {
            isSubmitting = false;
            if (plan.unplugs) {
                device.unplug();
            }
            endIfDone();
            return;
        }
        Access access = source.next();
        bios = files.bios(access.fromBytes, access.lengthBytes, plan.host.bioBytes());
        nextBio = 0;
        underWay++;
        current = new Request(access.operation, events.nowNs(), bios.size());
        long callNs = plan.host.cpuPerCallNs() + plan.host.cpuPerRequestNs();
        if (callNs > 0) {
            processor.work(callNs, "in the kernel", this::nextBio);
        } else {
            nextBio();
        }
    }

    private void nextBio() {
        if (nextBio == bios.size()) {
            submitNs += events.nowNs() - current.beganNs;
            submit();
            return;
        }
        long pages = Math.ceilDiv(bios.get(nextBio).lengthBytes(), PAGE_BYTES);
        processor.work(pages * plan.host.cpuPerPageNs(), "pages mapped", this::submitBio);
    }

    private void submitBio() {
        AddressSpace.Span bio = bios.get(nextBio);
        nextBio++;
        Request request = current;
        device.submit(
                SimulatedDevice.request(
                        request.operation,
                        bio.offsetBytes(),
                        bio.lengthBytes(),
                        () -> bioEnded(request)),
                submitter);
        if (!submitter.isWaiting()) {
            nextBio();
        }
    }

    private void bioEnded(Request request) {
        request.left--;
        if (request.left > 0) {
            return;
        }
        latencies.record(events.nowNs() - request.beganNs);
        underWay--;
        finishedNs = events.nowNs();
        if (!isSubmitting && source.hasNext()) {
            isSubmitting = true;
            events.after(plan.thinkNs, name + " goes on", this::submit);
        } else {
            endIfDone();
        }
    }

    private void endIfDone() {
        if (!isSubmitting && underWay == 0 && !source.hasNext()) {
            finishedNs = events.nowNs();
            onEnded.run();
        }
    }

    /** Time spent in submitting, asleep or at work. */
    public long submitNs() {
        return submitNs;
    }

    public long finishedNs() {
        return finishedNs;
    }

    public Processor processor() {
        return processor;
    }
}
