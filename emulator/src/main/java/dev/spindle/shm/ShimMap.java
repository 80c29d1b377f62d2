package dev.spindle.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file that SPINDLE_SHIM_MAP names: one line a device,
 *
 * <pre>
 *   name TAB path TAB nbd_unix_socket TAB queue_file [TAB shared_memory_socket]
 * </pre>
 *
 * <p>and comments that begin with #. Without the last field the shim speaks NBD.
 *
 * @param whyNbd why the daemon offers no shared memory, for people; empty when it does
 */
public record ShimMap(List<Line> lines, String whyNbd) {
    private static final String HEADER =
            "# name\tpath\tnbd_unix_socket\tqueue_file\tshared_memory_socket\n";
    private static final String WHY = "# no shared memory: ";

    public ShimMap {
        lines = List.copyOf(lines);
    }

    public ShimMap(List<Line> lines) {
        this(lines, "");
    }

    /**
     * One device.
     *
     * @param devicePath where programs under the shim find the device
     * @param shmSocket where they attach to its shared memory, if they can
     */
    public record Line(
            String name,
            String devicePath,
            Path nbdSocket,
            Path queueFile,
            Optional<Path> shmSocket) {
        private String text() {
            String shm = shmSocket.map(socket -> "\t" + socket).orElse("");
            return name + '\t' + devicePath + '\t' + nbdSocket + '\t' + queueFile + shm + '\n';
        }

        private static Line parse(Path file, String text) throws IOException {
            String[] fields = text.split("\t", -1);
            if (fields.length != 4 && fields.length != 5) {
                throw new IOException("map " + file + ": no four fields in \"" + text + '"');
            }
            Optional<Path> shm =
                    fields.length == 5 ? Optional.of(Path.of(fields[4])) : Optional.empty();
            return new Line(fields[0], fields[1], Path.of(fields[2]), Path.of(fields[3]), shm);
        }

        private Line withoutSharedMemory() {
            return new Line(name, devicePath, nbdSocket, queueFile, Optional.empty());
        }
    }

    public static ShimMap read(Path file) throws IOException {
        List<Line> lines = new ArrayList<>();
        String whyNbd = "";
        for (String text : Files.readAllLines(file)) {
            if (text.startsWith(WHY)) {
                whyNbd = text.substring(WHY.length());
            } else if (!text.isEmpty() && !text.startsWith("#")) {
                lines.add(Line.parse(file, text));
            }
        }
        return new ShimMap(lines, whyNbd);
    }

    /** The lines of those devices alone, as far as there are such. */
    public ShimMap only(String... names) {
        List<String> wanted = List.of(names);
        return new ShimMap(
                lines.stream().filter(line -> wanted.contains(line.name())).toList(), whyNbd);
    }

    /** The same devices, over NBD. */
    public ShimMap withoutSharedMemory() {
        return new ShimMap(lines.stream().map(Line::withoutSharedMemory).toList(), whyNbd);
    }

    public void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        if (!whyNbd.isEmpty()) {
            text.append(WHY).append(whyNbd.replaceAll("\\p{Cntrl}", " ")).append('\n');
        }
        lines.forEach(line -> text.append(line.text()));
        Files.writeString(file, text);
    }
}
