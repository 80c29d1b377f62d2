/** The command line: what people type, and the one line they get when it cannot be done. */
@NullMarked
package dev.spindle.cli;

import org.jspecify.annotations.NullMarked;
