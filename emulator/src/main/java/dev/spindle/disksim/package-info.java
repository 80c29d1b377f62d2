/**
 * DiskSim's files: reads its parameter files into drive profiles, replays its validation traces and
 * says how far a model is from the drive that was measured.
 */
@NullMarked
package dev.spindle.disksim;

import org.jspecify.annotations.NullMarked;
