/** The rotating disk: geometry, seeks, rotation, head switches, read-ahead and write-back cache. */
@NullMarked
package dev.spindle.drive.disk;

import org.jspecify.annotations.NullMarked;
