package dev.spindle.control;

import dev.spindle.packet.PacketCounter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of /sys/class/pktcdvd/pktcdvdN, by drivers/block/pktcdvd.c and
 * Documentation/ABI/testing/sysfs-class-pktcdvd. What is no number changes nothing and is no error,
 * as there.
 */
final class PacketAttributes {
    static final List<Attribute> ALL =
            Stream.concat(
                            counters(),
                            Stream.of(
                                    Attribute.writeOnly(
                                            "stat/reset",
                                            (device, _) -> device.packetWriter().reset()),
                                    Attribute.number(
                                            "write_queue/size",
                                            device -> device.packetWriter().queued()),
                                    Attribute.tunable(
                                            "write_queue/congestion_off",
                                            (device, _) ->
                                                    Integer.toString(
                                                            device.packetWriter().congestionOff()),
                                            (device, text) ->
                                                    KernelNumbers.scanned(text)
                                                            .ifPresent(
                                                                    device.packetWriter()
                                                                            ::setCongestionOff)),
                                    Attribute.tunable(
                                            "write_queue/congestion_on",
                                            (device, _) ->
                                                    Integer.toString(
                                                            device.packetWriter().congestionOn()),
                                            (device, text) ->
                                                    KernelNumbers.scanned(text)
                                                            .ifPresent(
                                                                    device.packetWriter()
                                                                            ::setCongestionOn))))
                    .toList();

    private PacketAttributes() {}

    /** Those whose labels are the driver's files. */
    private static Stream<Attribute> counters() {
        return Arrays.stream(PacketCounter.values())
                .filter(counter -> counter.label().startsWith("stat/"))
                .map(counter ->
                        Attribute.number(
                                counter.label(), device -> device.packetWriter().count(counter)));
    }
}
