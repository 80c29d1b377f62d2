package dev.spindle.nbd;

/** What a listening socket thinks of TLS; the names in brackets are proto.md's (TLS support). */
public enum TlsMode {
    /** STARTTLS is refused (NOTLS). */
    OFF,
    /** The client chooses; every export can be had either way (SELECTIVETLS). */
    OPTIONAL,
    /** No option but STARTTLS and ABORT is served before TLS (FORCEDTLS). */
    REQUIRED
}
