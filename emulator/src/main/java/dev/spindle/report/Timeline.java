package dev.spindle.report;

import java.util.List;

/**
 * One device over the time of the run, from its first request on, in spans of one length.
 *
 * @param depth requests in flight at the end of each span, of all processes
 */
public record Timeline(
        String device,
        double spanS,
        List<Long> depth,
        List<Long> readBytes,
        List<Long> writtenBytes) {
    public Timeline {
        depth = List.copyOf(depth);
        readBytes = List.copyOf(readBytes);
        writtenBytes = List.copyOf(writtenBytes);
    }
}
