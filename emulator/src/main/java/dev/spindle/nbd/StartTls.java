package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What TLS demands of one connection's options (proto.md, TLS support): answers STARTTLS, and
 * everything that must not be served before it. Owned by the handshake, like {@link Options}.
 */
final class StartTls {
    /** NBD_OPT_STARTTLS. */
    static final int OPTION = 5;

    /** What is to become of an option. */
    enum Verdict {
        /** Nothing in the way: let {@link Options} answer. */
        PASS,
        /** Refused, the reply is written. */
        REFUSED,
        /** Acknowledged: from the reply on the connection is TLS. */
        BEGIN,
        /** There is no way to refuse it but to hang up. */
        HANG_UP
    }

    private final TlsMode mode;
    private final @Nullable ServerTls tls;
    private boolean isEncrypted;

    /** {@code tls} may be null where the mode is OFF. */
    StartTls(TlsMode mode, @Nullable ServerTls tls) {
        this.mode = mode;
        this.tls = tls;
    }

    boolean isEncrypted() {
        return isEncrypted;
    }

    Verdict judge(int option, boolean hasData, ByteBuf out) {
        if (option == OPTION) {
            return startTls(hasData, out);
        }
        if (mode != TlsMode.REQUIRED || isEncrypted || option == NbdOption.ABORT.code()) {
            return Verdict.PASS;
        }
        if (option == NbdOption.EXPORT_NAME.code()) {
            return Verdict.HANG_UP;
        }
        OptionReply.ERR_TLS_REQD.writeText(out, option, "TLS is required: send STARTTLS first");
        return Verdict.REFUSED;
    }

    private Verdict startTls(boolean hasData, ByteBuf out) {
        if (isEncrypted) {
            OptionReply.ERR_INVALID.writeText(out, OPTION, "TLS is there already");
            return Verdict.REFUSED;
        }
        if (mode == TlsMode.OFF) {
            OptionReply.ERR_POLICY.writeText(out, OPTION, "TLS is off on this socket");
            return Verdict.REFUSED;
        }
        if (hasData) {
            OptionReply.ERR_INVALID.writeText(out, OPTION, "STARTTLS takes no data");
            return Verdict.REFUSED;
        }
        OptionReply.ACK.writeHeader(out, OPTION, 0);
        return Verdict.BEGIN;
    }

    /** The handler to put in front; called once, when the acknowledgement is on its way. */
    SslHandler encrypt(ByteBufAllocator allocator) {
        isEncrypted = true;
        return Objects.requireNonNull(tls).newHandler(allocator);
    }
}
