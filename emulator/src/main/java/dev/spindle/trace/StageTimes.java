package dev.spindle.trace;

/**
 * Where requests spent their time, as btt counts it.
 *
 * @param q2c from a request's arrival to the end of its last part
 * @param d2c from a command's beginning to its end
 */
public record StageTimes(Times q2c, Times d2c) {}
