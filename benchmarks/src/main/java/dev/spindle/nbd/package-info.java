/** Benchmarks of the NBD codec and session, in their package to reach what nobody else may. */
@NullMarked
package dev.spindle.nbd;

import org.jspecify.annotations.NullMarked;
