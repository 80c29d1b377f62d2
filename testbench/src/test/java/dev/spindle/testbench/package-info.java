/**
 * Spindle from the outside: the launcher as a process, and real programs as its clients. Everything
 * listens on 127.0.0.1 or a unix socket, every wait has a bound, and only processes started here
 * are ended.
 */
@NullMarked
package dev.spindle.testbench;

import org.jspecify.annotations.NullMarked;
