/**
 * A host in virtual time, above the request queue: processes, what they cost the processor, page
 * cache and file systems. None of it can be seen through NBD.
 */
@NullMarked
package dev.spindle.testbench.host;

import org.jspecify.annotations.NullMarked;
