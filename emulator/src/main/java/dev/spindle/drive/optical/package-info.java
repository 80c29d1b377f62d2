/** The CD and DVD burner: media, write buffer, laser, and how long each thing takes. */
@NullMarked
package dev.spindle.drive.optical;

import org.jspecify.annotations.NullMarked;
