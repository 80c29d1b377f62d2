package dev.spindle.control;

import dev.spindle.config.DiskDriveConfig;
import dev.spindle.config.ElevatorKind;
import dev.spindle.config.Tunable;
import dev.spindle.config.TunableValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The files of /sys/block/NAME/queue as Linux 6.1 has them (block/blk-sysfs.c), as far as they say
 * something about this queue; scheduler names the elevators of Linux 2.6.
 *
 * <pre>
 *   nr_requests     a number below 4 is 4, as in the kernel; beyond what the pool can have: EINVAL
 *   max_sectors_kb  below a page or above max_hw_sectors_kb: EINVAL
 *   scheduler       all elevators, the one in force in brackets; no such elevator: EINVAL
 *   iosched/        the tunables of the elevator in force, see {@link IoschedAttributes}
 * </pre>
 */
final class QueueAttributes {
    /** The least the kernel lets a pool have (BLKDEV_MIN_RQ). */
    private static final long MIN_REQUESTS = 4;

    /** What the kernel's NBD driver gives out for "as long as you like": 2^32 - 1 sectors. */
    private static final String DISCARD_MAX_BYTES = "2199023255040";

    /** In the order in which the kernel registered them. */
    private static final List<ElevatorKind> ELEVATORS =
            List.of(
                    ElevatorKind.NOOP,
                    ElevatorKind.ANTICIPATORY,
                    ElevatorKind.DEADLINE,
                    ElevatorKind.CFQ);

    static final List<Attribute> ALL =
            List.of(
                    Attribute.constant("queue/chunk_sectors", "0"),
                    Attribute.constant("queue/dax", "0"),
                    Attribute.number("queue/discard_granularity", QueueAttributes::blockBytes),
                    Attribute.constant("queue/discard_max_bytes", DISCARD_MAX_BYTES),
                    Attribute.constant("queue/discard_max_hw_bytes", DISCARD_MAX_BYTES),
                    Attribute.constant("queue/discard_zeroes_data", "0"),
                    Attribute.number("queue/hw_sector_size", QueueAttributes::blockBytes),
                    Attribute.constant("queue/iostats", "1"),
                    Attribute.number("queue/logical_block_size", QueueAttributes::blockBytes),
                    Attribute.constant("queue/max_discard_segments", "1"),
                    Attribute.number(
                            "queue/max_hw_sectors_kb",
                            device -> device.queued().limits().maxHwSectorsKb()),
                    Attribute.tunable(
                            "queue/max_sectors_kb",
                            (device, _) -> Integer.toString(device.queue().maxSectorsKb()),
                            (device, text) ->
                                    set(
                                            device,
                                            Tunable.MAX_SECTORS_KB,
                                            KernelNumbers.unsigned(text))),
                    Attribute.number(
                            "queue/minimum_io_size",
                            device -> device.queued().limits().physicalBlockBytes()),
                    Attribute.constant("queue/nomerges", "0"),
                    Attribute.tunable(
                            "queue/nr_requests",
                            (device, _) -> Integer.toString(device.queue().nrRequests()),
                            (device, text) ->
                                    set(
                                            device,
                                            Tunable.NR_REQUESTS,
                                            Math.max(MIN_REQUESTS, KernelNumbers.unsigned(text)))),
                    Attribute.constant("queue/nr_zones", "0"),
                    Attribute.number(
                            "queue/optimal_io_size",
                            device -> device.queued().limits().optimalIoBytes()),
                    Attribute.number(
                            "queue/physical_block_size",
                            device -> device.queued().limits().physicalBlockBytes()),
                    Attribute.number(
                            "queue/rotational", device -> device.queued().isRotational() ? 1 : 0),
                    Attribute.tunable(
                            "queue/scheduler",
                            (device, _) -> schedulers(device.queue().elevator()),
                            QueueAttributes::setScheduler),
                    Attribute.readOnly("queue/write_cache", (device, _) -> writeCache(device)),
                    Attribute.constant("queue/zoned", "none"));

    private QueueAttributes() {}

    private static long blockBytes(ControlledDevice device) {
        return device.queued().limits().logicalBlockBytes();
    }

    private static void set(ControlledDevice device, Tunable tunable, long number) {
        device.apply(Map.of(tunable, tunable.parse(Long.toString(number))));
    }

    /** With the blank before the newline that the kernel's has. */
    private static String schedulers(ElevatorKind inForce) {
        return ELEVATORS.stream()
                .map(kind -> kind == inForce ? '[' + word(kind) + "] " : word(kind) + ' ')
                .collect(Collectors.joining());
    }

    private static void setScheduler(ControlledDevice device, String text) {
        List<String> known = new ArrayList<>();
        for (ElevatorKind kind : ELEVATORS) {
            if (word(kind).equals(text.strip())) {
                device.apply(Map.of(Tunable.ELEVATOR, new TunableValue.Elevator(kind)));
                return;
            }
            known.add(word(kind));
        }
        throw new AttributeException(
                Errno.EINVAL, "no such elevator, there is " + String.join(", ", known));
    }

    private static String word(ElevatorKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Whether what has been written may be lost before a FLUSH. */
    private static String writeCache(ControlledDevice device) {
        boolean mayLose =
                device.config().drive() instanceof DiskDriveConfig
                        && device.queued().queue().driveSettings().writeBack();
        return mayLose ? "write back" : "write through";
    }
}
