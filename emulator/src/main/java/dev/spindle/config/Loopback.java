package dev.spindle.config;

import java.net.InetAddress;

/** Tells, without asking a name server, whether a host can only be reached from this machine. */
final class Loopback {
    private Loopback() {}

    static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException aName) {
            return false;
        }
    }
}
