package dev.spindle.daemon;

import dev.spindle.nbd.NbdCommand;
import dev.spindle.nbd.NbdCounters;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The NBD server's counters under the names that stat shows. */
final class NbdFields {
    private NbdFields() {}

    static Map<String, Object> of(NbdCounters counters) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("connections_opened", counters.connectionsOpened());
        fields.put("connections_closed", counters.connectionsClosed());
        fields.put("connections_refused", counters.connectionsRefused());
        fields.put("handshake_timeouts", counters.handshakeTimeouts());
        fields.put("payload_timeouts", counters.payloadTimeouts());
        fields.put("idle_timeouts", counters.idleTimeouts());
        fields.put("tls_connections", counters.tlsConnections());
        fields.put("tls_failures", counters.tlsFailures());
        fields.put("protocol_errors", counters.protocolErrors());
        fields.put("read_bytes", counters.readBytes());
        fields.put("written_bytes", counters.writtenBytes());
        fields.put("error_replies", counters.errorReplies());
        for (NbdCommand command : NbdCommand.values()) {
            fields.put(
                    "requests_" + command.name().toLowerCase(Locale.ROOT),
                    counters.requests(command));
        }
        return fields;
    }
}
