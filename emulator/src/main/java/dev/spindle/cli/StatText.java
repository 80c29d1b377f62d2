package dev.spindle.cli;

import dev.spindle.config.Tunable;
import dev.spindle.control.ControlAnswer;
import dev.spindle.metrics.Counter;
import dev.spindle.packet.PacketCounter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The answer to stat, for people. */
final class StatText {
    private static final String[] LATENCIES = {
        "read_wait", "read_total", "write_wait", "write_total", "lateness"
    };
    private static final String[] DIRECTIONS = {"read", "write"};

    private StatText() {}

    static String of(ControlAnswer answer) {
        StringBuilder text = new StringBuilder();
        server(text, answer.object("server"));
        answer.objects("devices").forEach(device -> device(text, device));
        return text.toString();
    }

    /** In the order of the manual. */
    static String settings(ControlAnswer settings) {
        return Arrays.stream(Tunable.values())
                .filter(tunable -> settings.has(tunable.path()))
                .map(tunable -> tunable.path() + '=' + settings.text(tunable.path()))
                .collect(Collectors.joining(" "));
    }

    private static void server(StringBuilder text, ControlAnswer server) {
        ControlAnswer nbd = server.object("nbd");
        text.append(
                "daemon %d, spindle %s%s, up %.1f s, %d NBD connections now, %d in all\n"
                        .formatted(
                                server.whole("pid"),
                                server.text("version"),
                                server.flag("private") ? ", private" : "",
                                server.number("uptime_s"),
                                server.whole("connections"),
                                nbd.whole("connections_opened")));
        text.append(
                "  refused %d  handshake timeouts %d  protocol errors %d  error replies %d\n"
                        .formatted(
                                nbd.whole("connections_refused"),
                                nbd.whole("handshake_timeouts"),
                                nbd.whole("protocol_errors"),
                                nbd.whole("error_replies")));
        sharedMemory(text, server.object("shm"));
    }

    private static void sharedMemory(StringBuilder text, ControlAnswer shm) {
        text.append(
                "  shared memory: attached %d now, %d in all  refused %d  protocol errors %d  errors %d\n"
                        .formatted(
                                shm.whole("attached"),
                                shm.whole("processes_attached"),
                                shm.whole("processes_refused"),
                                shm.whole("protocol_errors"),
                                shm.whole("error_replies")));
    }

    private static void device(StringBuilder text, ControlAnswer device) {
        text.append(
                "%s  %s  %s\n"
                        .formatted(
                                device.text("name"),
                                device.text("description"),
                                device.text("path")));
        text.append("  settings  ").append(settings(device.object("settings"))).append('\n');
        time(text, device);
        queue(text, device.object("state"));
        counters(text, device.object("counters"), device.whole("allocated_bytes"));
        latencies(text, device.object("latencies_us"));
        if (device.has("disc")) {
            disc(text, device.object("disc"));
        }
        if (device.has("packet")) {
            packet(text, device.object("packet"));
        }
    }

    private static void time(StringBuilder text, ControlAnswer device) {
        double scale = device.number("time_scale");
        text.append(
                "  %-8s  %.1f s of the device's own%s\n"
                        .formatted(
                                "time",
                                device.number("device_time_s"),
                                scale == 1
                                        ? ""
                                        : ", which passes at %s times the wall's; lateness is the wall's"
                                                .formatted(Tunable.TIME_SCALE.shown(scale))));
    }

    private static void disc(StringBuilder text, ControlAnswer disc) {
        text.append(
                "  %-8s  %s%s\n"
                        .formatted(
                                "disc",
                                disc.text("state"),
                                disc.has("operation")
                                        ? ", %s for %.1f s more of the device's time"
                                                .formatted(
                                                        disc.text("operation"),
                                                        disc.number("left_s"))
                                        : ""));
    }

    /** What the driver did not tell, then its proc file. */
    private static void packet(StringBuilder text, ControlAnswer packet) {
        text.append(
                "  %-8s  %d packets in part, %d of them cached; %d turns to reading, %d failed\n"
                        .formatted(
                                "packets",
                                packet.whole(PacketCounter.PARTIAL.label()),
                                packet.whole(PacketCounter.CACHED.label()),
                                packet.whole(PacketCounter.TURNS.label()),
                                packet.whole(PacketCounter.RECOVERIES.label())));
        text.append(
                "  %-8s  %d pieces, at most %d, %d submitters asleep%s\n"
                        .formatted(
                                "queue",
                                packet.whole("write_queue/size"),
                                packet.whole("write_queue/longest"),
                                packet.whole("writers_asleep"),
                                packet.flag("write_congested") ? ", congested" : ""));
        packet.object("did_not_honor_congestion")
                .fields()
                .forEach((who, times) ->
                        text.append(
                                "  %-8s  %s didn't honor congestion %s times\n"
                                        .formatted("", who, times)));
        packet.text("info").lines().forEach(line -> text.append("  ").append(line).append('\n'));
    }

    private static void queue(StringBuilder text, ControlAnswer state) {
        for (String direction : DIRECTIONS) {
            boolean isRead = direction.equals("read");
            text.append(
                    "  %-8s  %d requests taken, %d submitters asleep%s\n"
                            .formatted(
                                    direction + 's',
                                    state.whole(direction + "_requests"),
                                    state.whole(isRead ? "readers_asleep" : "writers_asleep"),
                                    state.flag(direction + "_congested") ? ", congested" : ""));
        }
        text.append(
                "  %-8s  %d commands waiting; congested from %d, until below %d\n"
                        .formatted(
                                "drive",
                                state.whole("waiting_commands"),
                                state.whole("congestion_on"),
                                state.whole("congestion_off")));
    }

    private static void counters(StringBuilder text, ControlAnswer counters, long allocated) {
        text.append("  counters ");
        for (Counter counter : Counter.values()) {
            String label = counter.label();
            text.append(' ').append(label).append('=').append(counters.whole(label));
        }
        text.append('\n');
        text.append("  %-8s  %d bytes allocated\n".formatted("store", allocated));
    }

    private static void latencies(StringBuilder text, ControlAnswer latencies) {
        String columns = "  %-12s %10s %12s %12s %12s %12s\n";
        text.append(columns.formatted("latency us", "count", "mean", "p50", "p99", "max"));
        for (String row : LATENCIES) {
            ControlAnswer figures = latencies.object(row);
            text.append(
                    columns.formatted(
                            row.replace('_', ' '),
                            figures.whole("count"),
                            us(figures, "mean"),
                            us(figures, "p50"),
                            us(figures, "p99"),
                            us(figures, "max")));
        }
    }

    private static String us(ControlAnswer row, String name) {
        return String.format(Locale.ROOT, "%.1f", row.number(name));
    }
}
