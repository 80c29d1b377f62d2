package dev.spindle.config;

/**
 * Whom a freed request wakes.
 *
 * @param seed of the choice, where the order is random
 */
public record WakeConfig(WakeOrder order, int seed) {}
