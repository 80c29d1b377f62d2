package dev.spindle.config;

/**
 * The server's bounds.
 *
 * @param handshakeDeadlineNs a connection that has not named its export by then is closed
 * @param payloadDeadlineNs a connection whose WRITE has not come whole by then is closed
 * @param maxOptions options a client may send before it is closed
 * @param maxRequestBytes the longest NBD request
 * @param requestsInFlight per connection; the socket is not read beyond it
 * @param bytesInFlight per connection; the socket is not read beyond it
 * @param memoryBytes data under way on all connections together
 * @param idleNs a client that has sent nothing for so long is cut off; 0 for never
 * @param connections the next one is refused
 */
public record LimitsConfig(
        long handshakeDeadlineNs,
        long payloadDeadlineNs,
        int maxOptions,
        int maxRequestBytes,
        int requestsInFlight,
        long bytesInFlight,
        long memoryBytes,
        long idleNs,
        int connections) {
    public LimitsConfig {
        Checks.requireRange("max_options", maxOptions, 1, Integer.MAX_VALUE);
        Checks.requireRange("requests_in_flight", requestsInFlight, 1, Integer.MAX_VALUE);
        Checks.requireRange("connections", connections, 1, Integer.MAX_VALUE);
        Checks.requireRange("max_request", maxRequestBytes, 1, bytesInFlight);
        Checks.requireRange("max_request", maxRequestBytes, 1, memoryBytes / 4);
    }
}
