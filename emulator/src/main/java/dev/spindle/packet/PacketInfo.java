package dev.spindle.packet;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A packet writer in the layout of the file /proc/driver/pktcdvd/NAME, which tools of the time
 * read: the same lines in the same order, a tab before each label and its value.
 */
public final class PacketInfo {
    private static final int LINK_BLOCKS = 7;
    private static final int MODE_PACKET_TRACK = 5;

    private PacketInfo() {}

    /** For a writer of that name on a drive of that name. */
    public static String text(String name, String driveName, PacketWriter writer) {
        StringBuilder text = new StringBuilder();
        text.append("Writer ").append(name).append(" mapped to ").append(driveName).append(":\n");
        settings(text, writer.disc());
        statistics(text, writer.statistics());
        misc(text, writer.disc(), writer.report());
        queue(text, writer.report(), writer.settings().marks());
        return text.toString();
    }

    private static void settings(StringBuilder text, PacketDisc disc) {
        text.append("\nSettings:\n");
        line(text, "packet size:\t\t", disc.geometry().packetBytes() / 1024 + "kB");
        line(text, "write type:\t\t", "Packet");
        line(text, "packet type:\t\t", "Fixed");
        line(text, "link loss:\t\t", Integer.toString(disc.isCd() ? LINK_BLOCKS : 0));
        line(text, "track mode:\t\t", Integer.toString(MODE_PACKET_TRACK));
        line(text, "block mode:\t\t", "Mode " + disc.dataMode());
    }

    private static void statistics(StringBuilder text, PacketStatistics statistics) {
        text.append("\nStatistics:\n");
        line(text, "packets started:\t", count(statistics, PacketCounter.PACKETS_STARTED));
        line(text, "packets ended:\t\t", count(statistics, PacketCounter.PACKETS_FINISHED));
        line(text, "written:\t\t", count(statistics, PacketCounter.KB_WRITTEN) + "kB");
        line(text, "read gather:\t\t", count(statistics, PacketCounter.KB_READ_GATHER) + "kB");
        line(text, "read:\t\t\t", count(statistics, PacketCounter.KB_READ) + "kB");
    }

    private static void misc(StringBuilder text, PacketDisc disc, PacketReport report) {
        text.append("\nMisc:\n");
        line(text, "reference count:\t", "1");
        line(text, "flags:\t\t\t", disc.refusal().isPresent() ? "0x0" : "0x2");
        line(text, "read speed:\t\t", report.readKbPerSecond() + "kB/s");
        line(text, "write speed:\t\t", disc.writeKbPerSecond() + "kB/s");
        line(text, "start offset:\t\t", Long.toString(disc.geometry().offsetSectors()));
        line(text, "mode page offset:\t", "0");
    }

    private static void queue(StringBuilder text, PacketReport report, WriteMarks marks) {
        text.append("\nQueue state:\n");
        line(text, "bios queued:\t\t", Integer.toString(report.queued()));
        line(text, "bios pending:\t\t", Integer.toString(report.pending()));
        line(text, "current sector:\t\t", "0x" + Long.toHexString(report.currentSector()));
        line(text, "state:\t\t\t", states(report));
        line(text, "write congestion marks:\t", "off=" + marks.off() + " on=" + marks.on());
    }

    private static String states(PacketReport report) {
        return Arrays.stream(PacketState.values())
                .map(state ->
                        String.format(
                                Locale.ROOT, "%s:%d", state.abbreviation(), report.count(state)))
                .collect(Collectors.joining(" "));
    }

    private static String count(PacketStatistics statistics, PacketCounter counter) {
        return Long.toString(statistics.get(counter));
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append('\t').append(label).append(value).append('\n');
    }
}
