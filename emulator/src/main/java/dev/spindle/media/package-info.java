/**
 * Byte-exact stores behind a drive: what was written is what is read. They know nothing of time.
 */
@NullMarked
package dev.spindle.media;

import org.jspecify.annotations.NullMarked;
