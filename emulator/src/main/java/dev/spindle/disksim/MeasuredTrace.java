package dev.spindle.disksim;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * DiskSim's validation trace: one request a line, {@code R|W word sector sectors service think},
 * the times in microseconds.
 */
final class MeasuredTrace {
    private static final int MAX_SECTORS = 1 << 20;

    private MeasuredTrace() {}

    static List<MeasuredRequest> read(Path file, long capacitySectors) throws DiskSimException {
        List<MeasuredRequest> requests = new ArrayList<>();
        int line = 0;
        for (String text : Tokens.read(file).lines().toList()) {
            line++;
            if (!text.isBlank()) {
                requests.add(parse(text.trim(), new Place(file, line), capacitySectors));
            }
        }
        if (requests.isEmpty()) {
            throw new DiskSimException(file + ": holds no requests");
        }
        return requests;
    }

    private static MeasuredRequest parse(String text, Place place, long capacitySectors)
            throws DiskSimException {
        String[] parts = text.split("\\s+", -1);
        boolean isRead = parts[0].equals("R");
        if (parts.length != 6 || !(isRead || parts[0].equals("W"))) {
            throw DiskSimException.at(
                    place,
                    "expected 'R|W word sector sectors service_us think_us', found '" + text + "'");
        }
        long sector;
        int sectors;
        double service;
        double think;
        try {
            sector = Long.parseLong(parts[2]);
            sectors = Integer.parseInt(parts[3]);
            service = Double.parseDouble(parts[4]);
            think = Double.parseDouble(parts[5]);
        } catch (NumberFormatException notANumber) {
            throw DiskSimException.at(place, "expected four numbers, found '" + text + "'");
        }
        if (sector < 0
                || sectors < 1
                || sectors > MAX_SECTORS
                || sector > capacitySectors - sectors) {
            throw DiskSimException.at(
                    place,
                    "sectors %d to %d are beyond the drive's %d"
                            .formatted(sector, sector + sectors - 1, capacitySectors));
        }
        if (!(service >= 0 && service < 1e12) || !(think >= 0 && think < 1e12)) {
            throw DiskSimException.at(
                    place, "service_us=" + parts[4] + " think_us=" + parts[5] + " are no times");
        }
        return new MeasuredRequest(
                isRead, sector, sectors, Math.round(service * 1e3), Math.round(think * 1e3));
    }
}
