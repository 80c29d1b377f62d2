/**
 * Recorded requests, made again: of a device of ours, in virtual time.
 *
 * <pre>
 *   RecordedTrace --Fitting--> requests the device can take --Pace--> Replay --> RequestMachine
 *                                                                       |
 *                                                            ReplayResult, ReplayReport
 * </pre>
 */
@NullMarked
package dev.spindle.replay;

import org.jspecify.annotations.NullMarked;
