package dev.spindle.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The file that SPINDLE_SHIM_MAP names: one line a device,
 *
 * <pre>
 *   name TAB path TAB nbd_unix_socket TAB queue_file
 * </pre>
 *
 * <p>and comments that begin with #.
 */
public record ShimMap(List<Line> lines) {
    private static final String HEADER = "# name\tpath\tnbd_unix_socket\tqueue_file\n";

    public ShimMap {
        lines = List.copyOf(lines);
    }

    /**
     * One device.
     *
     * @param devicePath where programs under the shim find the device
     */
    public record Line(String name, String devicePath, Path nbdSocket, Path queueFile) {
        private String text() {
            return name + '\t' + devicePath + '\t' + nbdSocket + '\t' + queueFile + '\n';
        }
    }

    public static ShimMap read(Path file) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String text : Files.readAllLines(file)) {
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            String[] fields = text.split("\t", -1);
            if (fields.length != 4) {
                throw new IOException("map " + file + ": no four fields in \"" + text + '"');
            }
            lines.add(new Line(fields[0], fields[1], Path.of(fields[2]), Path.of(fields[3])));
        }
        return new ShimMap(lines);
    }

    /** The line of one device alone; no line where there is no such device. */
    public ShimMap only(String name) {
        return new ShimMap(lines.stream().filter(line -> line.name().equals(name)).toList());
    }

    public void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        lines.forEach(line -> text.append(line.text()));
        Files.writeString(file, text);
    }
}
