package dev.spindle.config;

import java.util.List;

/**
 * The NBD server's TCP sockets, one for each host.
 *
 * @param port 0 lets the system pick a free one, another for each host
 * @param tls on all of them
 * @param insecure true where the user has agreed to a host beyond the loopback range without TLS
 */
public record TcpConfig(
        boolean enabled, List<String> hosts, int port, TlsUse tls, boolean insecure) {
    public TcpConfig {
        hosts = List.copyOf(hosts);
        Checks.requireRange("port", port, 0, 65535);
        Checks.require(!hosts.isEmpty(), "no host");
        Checks.require(
                insecure || tls == TlsUse.REQUIRED || hosts.stream().allMatch(Loopback::isLoopback),
                "host is not loopback: " + hosts);
    }

    /** May it be reached from other machines? */
    public boolean isForOthers() {
        return insecure || tls == TlsUse.REQUIRED;
    }
}
