package dev.spindle.config;

/** What a listening socket of the NBD server thinks of TLS. */
public enum TlsUse {
    /** Not to be had. */
    OFF,
    /** The client chooses. */
    OPTIONAL,
    /** Nothing is served without. */
    REQUIRED
}
