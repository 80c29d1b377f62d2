package dev.spindle.disksim;

/**
 * A line of a validation trace.
 *
 * @param serviceNs what the drive took
 * @param thinkNs from its end to the next request
 */
record MeasuredRequest(boolean isRead, long sector, int sectors, long serviceNs, long thinkNs) {}
