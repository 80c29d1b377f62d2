/**
 * The four mailing-list threads as experiments in virtual time, and the scorecard: each figure of a
 * thread beside ours, fitted or predicted.
 */
@NullMarked
package dev.spindle.testbench.experiment;

import org.jspecify.annotations.NullMarked;
