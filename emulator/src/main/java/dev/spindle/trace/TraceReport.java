package dev.spindle.trace;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How far a live trace has come.
 *
 * @param records written
 * @param dropped for want of room in the buffer, or because the file could not be written
 * @param fault why the file could not be written any more
 */
public record TraceReport(Path path, long records, long dropped, Optional<String> fault) {}
