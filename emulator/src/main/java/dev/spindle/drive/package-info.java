/**
 * What a drive is, and how long each thing it does takes. Pure machines: no thread, no socket, no
 * clock of their own.
 */
@NullMarked
package dev.spindle.drive;

import org.jspecify.annotations.NullMarked;
