/** The composition root: builds everything from the settings, starts it, and takes it down. */
@NullMarked
package dev.spindle.daemon;

import org.jspecify.annotations.NullMarked;
