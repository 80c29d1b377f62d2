package dev.spindle.testbench.experiment;

import dev.spindle.config.HostConfig;
import dev.spindle.packet.CongestionPolicy;
import dev.spindle.packet.WriteMarks;
import dev.spindle.plot.Figures;
import dev.spindle.testbench.experiment.Row.Kind;
import dev.spindle.testbench.host.Burner;
import dev.spindle.testbench.host.DeviceShelf;
import dev.spindle.testbench.host.Dirtier;
import dev.spindle.testbench.host.PageCache;
import dev.spindle.testbench.host.Pdflush;
import dev.spindle.testbench.host.SimulatedDevice;
import dev.spindle.time.EventHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Thread 002's other half: a hard disk and a burner written at once out of one pool of dirty pages,
 * and the congestion flag that one writer did not honour. A machine of 1 GB.
 */
final class SharedPool {
    private static final int DISK = 0;
    private static final int FRAME_BYTES = 2048;
    private static final long MB = 1_000_000;
    private static final int PAGE_BYTES = 4096;
    private static final int CHUNK_BYTES = 128 << 10;
    private static final long UNBOUNDED_BYTES = 100_000 * MB;
    private static final long DISK_FILE_BYTE = 28_000 * MB;
    private static final int LIMIT = 4096;
    private static final int FLAG_OFF = 3072;
    private static final int WARM_UP_S = 100;
    private static final int LAST_S = 300;
    private static final long SECOND_NS = 1_000_000_000;
    private static final double STALLED = 1.0;
    private static final double BURST = 25.0;

    private final Experiment.Setting setting;

    SharedPool(Experiment.Setting setting) {
        this.setting = setting;
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        Shared free = share(WriteMarks.NEVER, CongestionPolicy.NONE);
        rows.add(range("disc and disk, no limit: disc (MB/s)", 4.5, free.discRate(), 4, 6.5));
        rows.add(range("disc and disk, no limit: disk (MB/s)", 5.5, free.diskRate(), 4, 6.5));
        rows.add(
                range(
                        "disc and disk, no limit: longest queue",
                        200_000,
                        free.longestQueue,
                        185_000,
                        210_000));
        Shared limited = share(new WriteMarks(LIMIT, LIMIT - 1), CongestionPolicy.BLOCK);
        rows.add(open("disc and disk, limit 4096: disc (MB/s)", 4.0, limited.discRate()));
        rows.add(open("disc and disk, limit 4096: disk (MB/s)", 8.4, limited.diskRate()));
        rows.add(
                row(
                        "disc and disk, limit 4096: longest stall (s)",
                        OptionalDouble.of(30),
                        limited.longestStall(),
                        ">= 3 s, and none without",
                        limited.longestStall() >= 3 && free.longestStall() < 1));
        rows.add(
                row(
                        "disc and disk, limit 4096: bursts (MB/s)",
                        OptionalDouble.of(45),
                        limited.fastestDiskSecond(),
                        ">= 25 MB/s, and none without",
                        limited.fastestDiskSecond() >= BURST && free.fastestDiskSecond() < BURST));
        rows.addAll(flagRows());
        return rows;
    }

    private Row row(String name, OptionalDouble thread, double ours, String gate, boolean passes) {
        return new Row("002", name, thread, ours, gate, Kind.PREDICTED, passes);
    }

    /** The thread's figure beside ours where the mechanism is not settled: nothing is claimed. */
    private Row open(String name, double thread, double ours) {
        return row(name, OptionalDouble.of(thread), ours, Row.OPEN, true);
    }

    private Row range(String name, double thread, double ours, double least, double most) {
        return row(
                name,
                OptionalDouble.of(thread),
                ours,
                Figures.text(least) + " to " + Figures.text(most),
                ours >= least && ours <= most);
    }

    /** Bytes written by the end of each second, and how long the packet queue ever was. */
    private record Shared(List<long[]> seconds, int longestQueue) {
        double discRate() {
            return rate(1);
        }

        double diskRate() {
            return rate(DISK);
        }

        private double rate(int target) {
            long bytes = seconds.getLast()[target] - seconds.get(WARM_UP_S)[target];
            return bytes / 1e6 / (LAST_S - WARM_UP_S);
        }

        private double diskSecond(int second) {
            return (seconds.get(second)[DISK] - seconds.get(second - 1)[DISK]) / 1e6;
        }

        double fastestDiskSecond() {
            double fastest = 0;
            for (int i = WARM_UP_S; i < seconds.size(); i++) {
                fastest = Math.max(fastest, diskSecond(i));
            }
            return fastest;
        }

        int longestStall() {
            int longest = 0;
            int run = 0;
            for (int i = WARM_UP_S; i < seconds.size(); i++) {
                run = diskSecond(i) < STALLED ? run + 1 : 0;
                longest = Math.max(longest, run);
            }
            return longest;
        }
    }

    private Shared share(WriteMarks marks, CongestionPolicy policy) {
        EventHeap events = new EventHeap();
        SimulatedDevice disk = new DeviceShelf(setting.conf()).open("thread002", Map.of(), events);
        Burner burner = Thread002.burner(setting, Map.of(), policy, marks, events);
        var plan = PageCache.Plan.of(setting.host(Thread002.HOST), CHUNK_BYTES);
        PageCache cache =
                new PageCache(
                        plan,
                        events,
                        List.of(
                                new PageCache.Target(
                                        disk,
                                        DISK_FILE_BYTE,
                                        CHUNK_BYTES,
                                        () -> disk.queue().state().isWriteCongested()),
                                disc(burner)),
                        1);
        for (int target = 0; target < 2; target++) {
            new Dirtier(target == DISK ? "pipemeter" : "udf pipemeter", target, cache).start();
            new Pdflush(target, cache).start();
        }
        List<long[]> seconds = new ArrayList<>();
        for (int second = 0; second <= LAST_S; second++) {
            events.runUntil(second * SECOND_NS + 1);
            seconds.add(new long[] {cache.writtenBytes(DISK), cache.writtenBytes(1)});
        }
        return new Shared(seconds, burner.writer().longestQueue());
    }

    private static PageCache.Target disc(Burner burner) {
        return new PageCache.Target(
                burner.device(),
                1000L * FRAME_BYTES,
                FRAME_BYTES,
                () -> burner.writer().isCongested(true));
    }

    private List<Row> flagRows() {
        EventHeap events = new EventHeap();
        Burner burner =
                Thread002.burner(
                        setting,
                        Map.of(),
                        CongestionPolicy.FLAG,
                        new WriteMarks(LIMIT, FLAG_OFF),
                        events);
        HostConfig host = setting.host(Thread002.HOST);
        var plan =
                new PageCache.Plan(
                        PAGE_BYTES,
                        UNBOUNDED_BYTES,
                        host.memory().dirtyBytes(),
                        host.memory().backgroundBytes(),
                        host.memoryBytesPerSecond());
        PageCache cache = new PageCache(plan, events, List.of(disc(burner)), 1);
        new Dirtier("pipemeter", 0, cache).start();
        new Pdflush(0, cache).start();
        int before = 0;
        long stepNs = 1_000_000;
        long nowNs = 0;
        while (!cache.wasUnderPressure()) {
            before = burner.writer().longestQueue();
            nowNs += stepNs;
            events.runUntil(nowNs);
        }
        events.runUntil(nowNs + 60 * SECOND_NS);
        int after = burner.writer().longestQueue();
        Set<String> offenders = burner.writer().report().offenders().keySet();
        int page = PAGE_BYTES / FRAME_BYTES;
        return List.of(
                row(
                        "flag at 4096: queue before memory pressure",
                        OptionalDouble.of(LIMIT),
                        before,
                        "<= 4096 + a page",
                        before <= LIMIT + page && before >= LIMIT / 2),
                row(
                        "flag at 4096: queue after",
                        OptionalDouble.of(200_000),
                        after,
                        "> 185,000",
                        after > 185_000),
                row(
                        "flag at 4096: who did not honour it",
                        OptionalDouble.of(1),
                        offenders.size(),
                        "pipemeter alone",
                        offenders.equals(Set.of("pipemeter"))));
    }
}
