package dev.spindle.queue;

/**
 * Whom a freed request wakes.
 *
 * @param seed of the choice, where the order is random
 */
public record WakePolicy(Order order, long seed) {
    /** As Linux wakes exclusive waiters. */
    public static final WakePolicy FIRST_COME = new WakePolicy(Order.FIFO, 1);

    /** Among those that sleep. */
    public enum Order {
        FIFO,
        LIFO,
        RANDOM
    }
}
