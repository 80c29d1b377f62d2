/**
 * The NBD server: fixed newstyle handshake and the transmission phase, over TCP and unix sockets.
 * It knows devices only as {@link dev.spindle.queue.BlockDevice}; Netty stays in here.
 */
@NullMarked
package dev.spindle.nbd;

import org.jspecify.annotations.NullMarked;
