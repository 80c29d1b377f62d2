package dev.spindle.nbd;

import java.util.concurrent.atomic.LongAdder;

/** What the server has seen so far. Added to by the event loops, read by anyone. */
public final class NbdCounters {
    final LongAdder connectionsOpened = new LongAdder();
    final LongAdder connectionsClosed = new LongAdder();
    final LongAdder connectionsRefused = new LongAdder();
    final LongAdder handshakeTimeouts = new LongAdder();
    final LongAdder payloadTimeouts = new LongAdder();
    final LongAdder idleTimeouts = new LongAdder();
    final LongAdder tlsConnections = new LongAdder();
    final LongAdder tlsFailures = new LongAdder();
    final LongAdder protocolErrors = new LongAdder();
    final LongAdder readBytes = new LongAdder();
    final LongAdder writtenBytes = new LongAdder();
    final LongAdder errorReplies = new LongAdder();

    /** Indexed by the command's code on the wire. */
    private final LongAdder[] requests = new LongAdder[NbdCommand.MAX_CODE + 1];

    public NbdCounters() {
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new LongAdder();
        }
    }

    void countRequest(NbdCommand command) {
        requests[command.code()].increment();
    }

    public long connectionsOpened() {
        return connectionsOpened.sum();
    }

    public long connectionsClosed() {
        return connectionsClosed.sum();
    }

    /** Closed at once because there were too many. */
    public long connectionsRefused() {
        return connectionsRefused.sum();
    }

    public long handshakeTimeouts() {
        return handshakeTimeouts.sum();
    }

    /** Connections closed because a WRITE was not whole by its deadline. */
    public long payloadTimeouts() {
        return payloadTimeouts.sum();
    }

    /** Connections closed because nothing came for as long as the idle bound. */
    public long idleTimeouts() {
        return idleTimeouts.sum();
    }

    /** Connections that have gone over to TLS. */
    public long tlsConnections() {
        return tlsConnections.sum();
    }

    /** Connections that failed at it. */
    public long tlsFailures() {
        return tlsFailures.sum();
    }

    /** Connections closed because the peer broke the protocol. */
    public long protocolErrors() {
        return protocolErrors.sum();
    }

    public long requests(NbdCommand command) {
        return requests[command.code()].sum();
    }

    /** Replies with an error other than zero. */
    public long errorReplies() {
        return errorReplies.sum();
    }

    /** Data sent in replies to READ. */
    public long readBytes() {
        return readBytes.sum();
    }

    /** Data received with WRITE and completed without error. */
    public long writtenBytes() {
        return writtenBytes.sum();
    }
}
