package dev.spindle.config;

/** Which sleeper a freed request wakes. */
public enum WakeOrder {
    FIFO,
    LIFO,
    RANDOM
}
