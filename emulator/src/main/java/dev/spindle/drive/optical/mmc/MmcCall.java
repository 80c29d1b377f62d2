package dev.spindle.drive.optical.mmc;

/** One command while it is carried out. */
final class MmcCall {
    private final Cdb cdb;
    private final HostData host;
    private final long nowNs;
    private long endNs;

    MmcCall(Cdb cdb, HostData host, long nowNs) {
        this.cdb = cdb;
        this.host = host;
        this.nowNs = nowNs;
        endNs = nowNs;
    }

    Cdb cdb() {
        return cdb;
    }

    /** What the host sends with it. */
    byte[] data() {
        return host.out();
    }

    HostData host() {
        return host;
    }

    long nowNs() {
        return nowNs;
    }

    void endsAt(long newEndNs) {
        endNs = Math.max(endNs, newEndNs);
    }

    long endNs() {
        return endNs;
    }
}
