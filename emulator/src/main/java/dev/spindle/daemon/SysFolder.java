package dev.spindle.daemon;

import dev.spindle.config.ElevatorKind;
import dev.spindle.control.ControlledDevice;
import dev.spindle.control.SysFile;
import dev.spindle.control.SysTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A tree of files as /sys would show them, for programs under the shim: folders, links and modes
 * are what the program sees, so that it can list them, look at them and go there. What a file says
 * is asked of the daemon; here it says only that it has not been asked.
 *
 * <pre>
 *   shim.sys/block/NAME            -> ../devices/virtual/block/NAME; beside it what /sys/block has
 *            class/block, dev/block   the same
 *            class/pktcdvd/           add, remove, device_map, and links to the packet writers
 *            devices/virtual/block/NAME/, devices/virtual/pktcdvd/pktcdvdN/
 *            devices/...           -> /sys/devices/...
 * </pre>
 *
 * <p>What is plugged into the machine later is not in the lists. Only the control loop changes a
 * tree once it is there.
 */
public final class SysFolder {
    /** Behind the name of a map's file, without ".map", is that of its tree. */
    static final String SUFFIX = ".sys";

    private static final Path SYS = Path.of("/sys");
    private static final int FILE_BYTES = 4096;
    private static final byte[] UNASKED = unasked();
    private static final List<String> LISTS = List.of("block", "class/block", "dev/block");

    private final Path root;
    private final List<ControlledDevice> devices;
    private final Map<String, ElevatorKind> shown = new HashMap<>();

    private SysFolder(Path root, List<ControlledDevice> devices) {
        this.root = root;
        this.devices = List.copyOf(devices);
    }

    static SysFolder create(Path root, SysTree tree, List<ControlledDevice> devices)
            throws IOException {
        SysFolder folder = new SysFolder(root, devices);
        for (ControlledDevice device : devices) {
            Path place = root.resolve(SysTree.BLOCK + device.name());
            Files.createDirectories(place.resolve("holders"));
            Files.createDirectories(place.resolve("slaves"));
            Files.createDirectories(root.resolve(SysTree.ioschedFolder(device.name())));
            link(place.resolve("subsystem"), "../../../../class/block");
        }
        for (SysFile file : tree.files()) {
            make(root, file);
        }
        for (String writer : tree.writers().keySet()) {
            link(root.resolve(SysTree.PACKET + writer + "/subsystem"), "../../../../class/pktcdvd");
            link(root.resolve(SysTree.PACKET_CLASS + writer), "../../" + SysTree.PACKET + writer);
        }
        linkMachine(root, "devices", Set.of("virtual"));
        linkMachine(root, "devices/virtual", Set.of("block", "pktcdvd"));
        linkMachine(root, "devices/virtual/block", Set.of());
        list(root, devices.stream().map(ControlledDevice::name).toList());
        folder.refresh();
        return folder;
    }

    /** The tree of a program that sees only some of the devices, numbered in this order. */
    public static void seenBy(LiveDaemon daemon, String name, List<String> devices)
            throws IOException {
        Path root = daemon.folder().resolve(name + SUFFIX);
        String whole = RuntimeFolder.SHIM_SYS;
        list(root, devices);
        link(root.resolve("devices"), "../" + whole + "/devices");
        if (Files.exists(daemon.folder().resolve(whole).resolve(SysTree.PACKET_CLASS))) {
            link(root.resolve("class/pktcdvd"), "../../" + whole + "/class/pktcdvd");
        }
    }

    /** Removes such a tree again, if there is one. */
    public static void remove(LiveDaemon daemon, String name) throws IOException {
        Path root = daemon.folder().resolve(name + SUFFIX);
        if (!Files.exists(root)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(root)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }

    /** The folders of links, with what the machine has there itself. */
    private static void list(Path root, List<String> names) throws IOException {
        for (String list : LISTS) {
            Path folder = Files.createDirectories(root.resolve(list));
            String up = list.equals("block") ? "../" : "../../";
            for (int i = 0; i < names.size(); i++) {
                String entry = list.startsWith("dev/") ? SysTree.MAJOR + ":" + i : names.get(i);
                link(folder.resolve(entry), up + SysTree.BLOCK + names.get(i));
            }
            Path real = SYS.resolve(list);
            for (Path entry : entries(real)) {
                if (Files.isSymbolicLink(entry)) {
                    link(
                            folder.resolve(entry.getFileName()),
                            Files.readSymbolicLink(entry).toString());
                }
            }
        }
    }

    /** What the machine has in a folder that is ours here. */
    private static void linkMachine(Path root, String folder, Set<String> but) throws IOException {
        Files.createDirectories(root.resolve(folder));
        for (Path entry : entries(SYS.resolve(folder))) {
            String name = String.valueOf(entry.getFileName());
            if (!but.contains(name)) {
                link(root.resolve(folder).resolve(name), entry.toString());
            }
        }
    }

    /** Where /sys is not there, or not for us, it adds nothing. */
    private static List<Path> entries(Path folder) {
        try (Stream<Path> list = Files.list(folder)) {
            return list.sorted().toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    /** Shows the tunables of the elevators that are now in force. */
    void refresh() throws IOException {
        for (ControlledDevice device : devices) {
            ElevatorKind kind = device.elevator();
            ElevatorKind before = shown.put(device.name(), kind);
            if (kind == before) {
                continue;
            }
            if (before != null) {
                for (SysFile file : SysTree.ioschedFiles(device.name(), before)) {
                    Files.deleteIfExists(root.resolve(file.path()));
                }
            }
            for (SysFile file : SysTree.ioschedFiles(device.name(), kind)) {
                make(root, file);
            }
        }
    }

    private static void make(Path root, SysFile file) throws IOException {
        Path path = root.resolve(file.path());
        Files.createDirectories(path.getParent());
        Files.write(path, UNASKED);
        Files.setPosixFilePermissions(path, mode(file));
    }

    private static Set<PosixFilePermission> mode(SysFile file) {
        if (!file.isReadable()) {
            return PosixFilePermissions.fromString("-w-------");
        }
        return PosixFilePermissions.fromString(file.isWritable() ? "rw-r--r--" : "r--r--r--");
    }

    private static void link(Path place, String target) throws IOException {
        Files.createDirectories(place.getParent());
        try {
            Files.createSymbolicLink(place, Path.of(target));
        } catch (FileAlreadyExistsException _) {
            // A device of ours hides the machine's of the same name.
        }
    }

    private static byte[] unasked() {
        String line = "this attribute was read past the shim, so nobody was asked for its value\n";
        String text = line.repeat(FILE_BYTES / line.length() + 1).substring(0, FILE_BYTES);
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
