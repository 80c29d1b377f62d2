/**
 * Typed, validated settings from {@code conf/*.conf}: read whole, checked whole, and refused with
 * every fault named before anything is opened. {@link Keys} is the one table of keys.
 */
@NullMarked
package dev.spindle.config;

import org.jspecify.annotations.NullMarked;
