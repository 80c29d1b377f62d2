package dev.spindle.control;

import dev.spindle.config.PacketConfig;
import dev.spindle.config.Tunable;
import dev.spindle.config.TunableValue;
import dev.spindle.packet.PacketCounter;
import dev.spindle.packet.PacketInfo;
import dev.spindle.packet.PacketReport;
import dev.spindle.packet.PacketSettings;
import dev.spindle.packet.PacketState;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.QueuedDevice;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A device's packet writer as control reaches it. Belongs to the device's loop. */
final class PacketControl {
    private final QueuedDevice device;
    private final PacketWriter writer;
    private PacketConfig config;

    PacketControl(QueuedDevice device, PacketWriter writer, PacketConfig config) {
        this.device = device;
        this.writer = writer;
        this.config = PacketMapping.corrected(config);
    }

    /** Changes what of the values is its own; the marks as the driver would have taken them. */
    void apply(Map<Tunable, TunableValue> values) {
        change(config.tuned(values));
    }

    private void change(PacketConfig wanted) {
        PacketConfig tuned = PacketMapping.corrected(wanted);
        if (!tuned.equals(config)) {
            config = tuned;
            PacketSettings settings = PacketMapping.settings(tuned);
            device.change(nowNs -> writer.apply(settings, nowNs));
        }
    }

    int congestionOn() {
        return config.congestionOn();
    }

    int congestionOff() {
        return config.congestionOff();
    }

    void setCongestionOn(int mark) {
        change(config.withMarks(mark, config.congestionOff()));
    }

    void setCongestionOff(int mark) {
        change(config.withMarks(config.congestionOn(), mark));
    }

    /** Pieces in the write queue. */
    int queued() {
        return writer.report().queued();
    }

    long count(PacketCounter counter) {
        return writer.statistics().get(counter);
    }

    /** As the driver's file stat/reset. */
    void reset() {
        writer.statistics().reset();
    }

    /** As conf files and tune write them. */
    Map<String, Object> settings() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(Tunable.PACKET_POLICY.path(), word(config.policy()));
        fields.put(Tunable.PACKET_CONGESTION_ON.path(), config.congestionOn());
        fields.put(Tunable.PACKET_CONGESTION_OFF.path(), config.congestionOff());
        fields.put(Tunable.PACKET_SCHEDULER.path(), word(config.scheduler()));
        fields.put(Tunable.PACKET_WAIT.path(), config.waitText());
        return fields;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Named as in the driver's sysfs folder where it had such a file. */
    Map<String, Object> stat() {
        PacketReport report = writer.report();
        Map<String, Object> fields = new LinkedHashMap<>();
        for (PacketCounter counter : PacketCounter.values()) {
            fields.put(counter.label(), writer.statistics().get(counter));
        }
        fields.put("write_queue/size", report.queued());
        fields.put("write_queue/longest", writer.longestQueue());
        fields.put("write_queue/congestion_on", config.congestionOn());
        fields.put("write_queue/congestion_off", config.congestionOff());
        fields.put("pending", report.pending());
        fields.put("current_sector", report.currentSector());
        fields.put("states", states(report));
        fields.put("read_speed_kb", report.readKbPerSecond());
        fields.put("write_speed_kb", writer.disc().writeKbPerSecond());
        fields.put("write_congested", report.isWriteCongested());
        fields.put("writers_asleep", report.sleeping());
        fields.put("did_not_honor_congestion", report.offenders());
        writer.disc()
                .refusal()
                .ifPresent(why -> fields.put("refusal", why.errno() + ": " + why.sentence()));
        fields.put("drive", StatFields.counters(writer.driveQueue().counters()));
        fields.put("info", PacketInfo.text(device.name(), device.name(), writer));
        return fields;
    }

    private static Map<String, Object> states(PacketReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (PacketState state : PacketState.values()) {
            fields.put(state.name().toLowerCase(Locale.ROOT), report.count(state));
        }
        return fields;
    }
}
