package dev.spindle.trace;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.Sectors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads fio's log of I/O, of version 2 or 3 (fio(1), "Trace file format").
 *
 * <pre>
 *   2   FILE add|open|close
 *       FILE read|write|trim|sync|datasync|wait OFFSET LENGTH      wait: OFFSET us since the last wait
 *   3   the same behind a time in us since the beginning, and no wait
 * </pre>
 *
 * <p>All files of a log are one device here, each from its first byte on. A line that is none of
 * these is refused by file, line and reason.
 */
final class IoLogReader {
    private static final String VERSION_2 = "fio version 2 iolog";
    private static final String VERSION_3 = "fio version 3 iolog";
    private static final int MAX_LINE = 4096;
    private static final int SHOWN = 80;

    /** fio(1): a wait of less is none. */
    private static final long LEAST_WAIT_US = 100;

    private static final long NS_PER_US = 1000;
    private static final long MAX_US = Long.MAX_VALUE / NS_PER_US / 2;

    private final Path path;
    private final Map<String, Boolean> files = new HashMap<>();
    private final List<RecordedRequest> requests = new ArrayList<>();
    private int line;
    private boolean isTimed;
    private long nowNs;
    private long firstNs = -1;

    private IoLogReader(Path path) {
        this.path = path;
    }

    static RecordedTrace read(Path path) throws IOException {
        IoLogReader reader = new IoLogReader(path);
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                Files.newInputStream(path), StandardCharsets.UTF_8.newDecoder()))) {
            reader.readAll(lines);
        } catch (CharacterCodingException e) {
            throw new IOException(path + ": is neither a blktrace nor a log of fio's", e);
        } catch (java.nio.file.FileSystemException e) {
            throw new IOException("cannot read " + path + ": " + TraceFile.reason(e), e);
        }
        if (reader.requests.isEmpty()) {
            throw new IOException(path + ": holds no requests");
        }
        return new RecordedTrace(reader.requests, Optional.empty(), List.of());
    }

    private void readAll(BufferedReader lines) throws IOException {
        readVersion(nextLine(lines));
        for (String text = nextLine(lines); text != null; text = nextLine(lines)) {
            if (!text.isBlank()) {
                RecordedTrace.requireRoom(path, requests.size());
                take(text.strip());
            }
        }
    }

    /** A line of bounded length, so that a file of another kind cannot fill the memory. */
    private @Nullable String nextLine(BufferedReader lines) throws IOException {
        line++;
        StringBuilder text = new StringBuilder();
        int c = lines.read();
        if (c < 0) {
            return null;
        }
        while (c >= 0 && c != '\n') {
            if (text.length() == MAX_LINE) {
                throw fault("a line of more than " + MAX_LINE + " characters");
            }
            text.append((char) c);
            c = lines.read();
        }
        return text.toString();
    }

    private void readVersion(@Nullable String first) throws IOException {
        String text = first == null ? "" : first.strip();
        if (!text.equals(VERSION_2) && !text.equals(VERSION_3)) {
            throw fault(
                    "expected \""
                            + VERSION_2
                            + "\" or \""
                            + VERSION_3
                            + "\", found "
                            + shown(text)
                            + "; it is no blktrace either");
        }
        isTimed = text.equals(VERSION_3);
    }

    private void take(String text) throws IOException {
        String[] words = text.split("\\s+", -1);
        int at = 0;
        if (isTimed) {
            long timeUs = number(words[at++], "time in us", MAX_US);
            if (timeUs * NS_PER_US < nowNs) {
                throw fault("time " + timeUs + " us is before that of the line before");
            }
            nowNs = timeUs * NS_PER_US;
        }
        if (words.length == at + 2) {
            manage(words[at], words[at + 1]);
        } else if (words.length == at + 4) {
            act(words[at], words[at + 1], words[at + 2], words[at + 3]);
        } else {
            String form = isTimed ? "TIME FILE ACTION" : "FILE ACTION";
            throw fault(
                    "expected '"
                            + form
                            + "' or '"
                            + form
                            + " OFFSET LENGTH', found "
                            + shown(text));
        }
    }

    private void manage(String file, String action) throws IOException {
        switch (action) {
            case "add" -> files.putIfAbsent(file, false);
            case "open", "close" -> {
                requireAdded(file);
                files.put(file, action.equals("open"));
            }
            default -> throw fault("action " + shown(action) + " alone: allowed add, open, close");
        }
    }

    private void requireAdded(String file) throws IOException {
        if (!files.containsKey(file)) {
            throw fault("file " + shown(file) + " has not been added");
        }
    }

    private void act(String file, String action, String offset, String length) throws IOException {
        if (action.equals("wait")) {
            pause(offset, length);
            return;
        }
        BlockOperation operation =
                switch (action) {
                    case "read" -> BlockOperation.READ;
                    case "write" -> BlockOperation.WRITE;
                    case "trim" -> BlockOperation.DISCARD;
                    case "sync", "datasync" -> BlockOperation.FLUSH;
                    default ->
                            throw fault(
                                    "action "
                                            + shown(action)
                                            + ": allowed read, write, trim, sync, datasync"
                                            + (isTimed ? "" : ", wait"));
                };
        long offsetBytes = number(offset, "offset", Long.MAX_VALUE / 2);
        long lengthBytes = number(length, "length", Long.MAX_VALUE / 2);
        requireAdded(file);
        if (!Boolean.TRUE.equals(files.get(file))) {
            throw fault("file " + shown(file) + " is not open");
        }
        boolean isFlush = operation == BlockOperation.FLUSH;
        if (!isFlush) {
            requireSectors(offsetBytes, lengthBytes);
        }
        firstNs = firstNs < 0 ? nowNs : firstNs;
        requests.add(
                new RecordedRequest(
                        nowNs - firstNs,
                        operation,
                        isFlush ? 0 : offsetBytes,
                        isFlush ? 0 : lengthBytes));
    }

    private void requireSectors(long offsetBytes, long lengthBytes) throws IOException {
        if (lengthBytes == 0) {
            throw fault("length 0");
        }
        if (offsetBytes % Sectors.BYTES != 0 || lengthBytes % Sectors.BYTES != 0) {
            throw fault(
                    "offset "
                            + offsetBytes
                            + " length "
                            + lengthBytes
                            + ": no multiples of "
                            + Sectors.BYTES);
        }
    }

    private void pause(String micros, String length) throws IOException {
        if (isTimed) {
            throw fault("wait: version 3 has times instead");
        }
        number(length, "length", Long.MAX_VALUE);
        long us = number(micros, "wait in us", MAX_US);
        if (nowNs / NS_PER_US > MAX_US - us) {
            throw fault("waits of more than " + MAX_US + " us in all");
        }
        nowNs += us < LEAST_WAIT_US ? 0 : us * NS_PER_US;
    }

    private long number(String text, String what, long most) throws IOException {
        if (text.matches("\\d{1,19}")) {
            try {
                long number = Long.parseLong(text);
                if (number <= most) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // More than 2^63: told below.
            }
        }
        throw fault(what + " " + shown(text) + ": allowed whole numbers from 0 to " + most);
    }

    private static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return '"' + (clean.length() > SHOWN ? clean.substring(0, SHOWN) + "..." : clean) + '"';
    }

    private IOException fault(String what) {
        return new IOException(path + ":" + line + ": " + what);
    }
}
