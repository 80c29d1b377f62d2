package dev.spindle.control;

import dev.spindle.config.ConfigException;
import dev.spindle.config.ElevatorKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What of the kernel's /sys the devices of a daemon have: which files there are, and what reading
 * and writing them does. Paths are those below /sys that no link leads to.
 *
 * <pre>
 *   devices/virtual/block/NAME/            size, dev, stat ...
 *   devices/virtual/block/NAME/queue/      nr_requests, scheduler ...
 *   devices/virtual/pktcdvd/pktcdvdN/      of the Nth packet writer: stat/, write_queue/
 *   class/pktcdvd/                         add, remove, device_map
 * </pre>
 *
 * <p>Any thread may ask; a device's attributes are read and written on its loop.
 */
public final class SysTree {
    /** NBD's, which the shim gives its devices. */
    public static final int MAJOR = 43;

    public static final String BLOCK = "devices/virtual/block/";
    public static final String PACKET = "devices/virtual/pktcdvd/";
    public static final String PACKET_CLASS = "class/pktcdvd/";
    private static final String WRITER = "pktcdvd";
    private static final String NO_DRIVE = "0:0";

    private final Map<String, ControlledDevice> devices = new LinkedHashMap<>();
    private final Map<String, ControlledDevice> writers = new LinkedHashMap<>();
    private final Map<String, Attribute> ofBlock = new HashMap<>();
    private final Map<String, Attribute> ofPacket = new HashMap<>();

    /** For those devices; of each, the number is its place in the list. */
    public SysTree(List<ControlledDevice> devices) {
        for (ControlledDevice device : devices) {
            this.devices.put(device.name(), device);
            if (device.hasPacketWriter()) {
                writers.put(WRITER + writers.size(), device);
            }
        }
        BlockAttributes.ALL.forEach(each -> ofBlock.put(each.path(), each));
        QueueAttributes.ALL.forEach(each -> ofBlock.put(each.path(), each));
        PacketAttributes.ALL.forEach(each -> ofPacket.put(each.path(), each));
    }

    /** The names of the devices by those of their packet writers. */
    public Map<String, String> writers() {
        Map<String, String> names = new LinkedHashMap<>();
        writers.forEach((writer, device) -> names.put(writer, device.name()));
        return names;
    }

    /** All files but those of the elevators. */
    public List<SysFile> files() {
        List<SysFile> files = new ArrayList<>();
        for (String name : devices.keySet()) {
            BlockAttributes.ALL.forEach(each -> files.add(each.file(BLOCK + name + '/')));
            QueueAttributes.ALL.forEach(each -> files.add(each.file(BLOCK + name + '/')));
        }
        for (String writer : writers.keySet()) {
            PacketAttributes.ALL.forEach(each -> files.add(each.file(PACKET + writer + '/')));
        }
        if (!writers.isEmpty()) {
            files.add(new SysFile(PACKET_CLASS + "add", false, true));
            files.add(new SysFile(PACKET_CLASS + "device_map", true, false));
            files.add(new SysFile(PACKET_CLASS + "remove", false, true));
        }
        return files;
    }

    /** The folder of a device's elevator. */
    public static String ioschedFolder(String device) {
        return BLOCK + device + '/' + IoschedAttributes.FOLDER;
    }

    /** What is in that folder while this one is in force. */
    public static List<SysFile> ioschedFiles(String device, ElevatorKind kind) {
        return IoschedAttributes.of(kind).stream()
                .map(each -> each.file(BLOCK + device + '/'))
                .toList();
    }

    /**
     * The text of a file, or nothing once it has been written; fails with an {@link
     * AttributeException}.
     */
    CompletableFuture<Optional<String>> answer(ControlRequest.Attribute request) {
        String path = request.path();
        if (path.startsWith(PACKET_CLASS)) {
            return ofClass(path.substring(PACKET_CLASS.length()), request);
        }
        String folder = path.startsWith(BLOCK) ? BLOCK : PACKET;
        int end = path.indexOf('/', folder.length());
        if (!path.startsWith(folder) || end < 0) {
            throw missing(path);
        }
        String name = path.substring(folder.length(), end);
        String attribute = path.substring(end + 1);
        boolean isBlock = folder.equals(BLOCK);
        ControlledDevice device = (isBlock ? devices : writers).get(name);
        if (device == null) {
            throw missing(path);
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    Attribute found =
                            isBlock ? ofBlock(device, attribute) : ofPacket.get(attribute);
                    if (found == null) {
                        throw missing(path);
                    }
                    return use(found, device, request);
                },
                device.queued().loop());
    }

    private @Nullable Attribute ofBlock(ControlledDevice device, String path) {
        if (!path.startsWith(IoschedAttributes.FOLDER)) {
            return ofBlock.get(path);
        }
        return IoschedAttributes.of(device.queue().elevator()).stream()
                .filter(each -> each.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    /** On the device's loop. */
    private Optional<String> use(
            Attribute attribute, ControlledDevice device, ControlRequest.Attribute request) {
        if (request.value().isEmpty()) {
            Attribute.Show show = attribute.show().orElseThrow(() -> denied(request.path()));
            int minor = request.minor().orElseGet(() -> numberOf(device));
            return Optional.of(show.text(device, minor) + '\n');
        }
        Attribute.Store store = attribute.store().orElseThrow(() -> denied(request.path()));
        try {
            store.take(device, request.value().get());
        } catch (ConfigException e) {
            throw new AttributeException(Errno.EINVAL, String.join("; ", e.problems()));
        }
        return Optional.empty();
    }

    private int numberOf(ControlledDevice device) {
        return List.copyOf(devices.values()).indexOf(device);
    }

    private static AttributeException missing(String path) {
        return new AttributeException(Errno.ENOENT, path + ": no such file");
    }

    private static AttributeException denied(String path) {
        return new AttributeException(Errno.EACCES, path + ": not of this file");
    }

    /**
     * The driver's own files. Its answer to a device it cannot take, or cannot let go, was silence;
     * here each burner has its packet writer once and for all.
     */
    private CompletableFuture<Optional<String>> ofClass(
            String name, ControlRequest.Attribute request) {
        boolean isRead = request.value().isEmpty();
        switch (name) {
            case "device_map" -> {
                if (isRead) {
                    return CompletableFuture.completedFuture(Optional.of(map(request.devices())));
                }
            }
            case "add", "remove" -> {
                if (!isRead) {
                    if (KernelNumbers.scannedPair(request.value().get()).isEmpty()) {
                        throw new AttributeException(Errno.EINVAL, "no MAJOR:MINOR");
                    }
                    return CompletableFuture.completedFuture(Optional.empty());
                }
            }
            default -> throw missing(request.path());
        }
        throw denied(request.path());
    }

    /**
     * A line for each writer: its name, its number, and the drive's, which has none here: lsblk
     * hides a device that is said to stand on itself.
     *
     * @param seen the devices as the program numbers them; all where it names none
     */
    private String map(List<String> seen) {
        List<String> numbered = seen.isEmpty() ? List.copyOf(devices.keySet()) : seen;
        StringBuilder text = new StringBuilder();
        writers.forEach((writer, device) -> {
            int minor = numbered.indexOf(device.name());
            if (minor >= 0) {
                text.append(writer).append(' ').append(MAJOR).append(':');
                text.append(minor).append(' ').append(NO_DRIVE);
                text.append('\n');
            }
        });
        return text.toString();
    }
}
