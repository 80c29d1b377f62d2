/**
 * A workload of the user's own on a virtual host, in virtual time: one run, or a table over values
 * of any setting.
 */
@NullMarked
package dev.spindle.testbench.simulate;

import org.jspecify.annotations.NullMarked;
