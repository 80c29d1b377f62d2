package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of proto.md, TLS support, for what comes in the clear. */
class StartTlsTest {
    private static final byte[] STARTTLS = Wire.option(5, new byte[0]);
    private static final byte[] LIST = Wire.option(3, new byte[0]);

    @TempDir private static Path folder;
    private static ServerTls tls;
    private final MemoryDevice device = new MemoryDevice(1 << 20);

    @BeforeAll
    static void load() throws IOException {
        Certificates made = new Certificates(folder);
        made.make("server");
        tls =
                ServerTls.load(
                        new TlsFiles(made.pem("server"), made.key("server"), Optional.empty()));
    }

    @AfterAll
    static void close() {
        tls.close();
    }

    private Conversation with(TlsMode mode) {
        NbdLimits limits = NbdLimits.DEFAULTS;
        SharedMemory memory = new SharedMemory(limits.memoryBytes());
        return new Conversation(device, limits, memory, new StartTls(mode, tls));
    }

    private static byte[] answerTo(Conversation conversation, byte[]... parts) {
        conversation.send(Wire.flags(3), Wire.join(parts));
        byte[] all = conversation.received();
        assertThat(all).startsWith(Wire.greeting());
        return Arrays.copyOfRange(all, 18, all.length);
    }

    /** Option and type of the reply; its text is for people. */
    private static byte[] refusal(int option, int error) {
        return Arrays.copyOf(Wire.optionReply(option, error), 16);
    }

    @Test
    void whereTlsIsOffItIsRefusedByPolicyAndTheStreamStaysInSync() {
        try (Conversation conversation = with(TlsMode.OFF)) {
            byte[] answer = answerTo(conversation, STARTTLS, Wire.option(2, new byte[0]));
            assertThat(answer).startsWith(refusal(5, Wire.ERR_POLICY));
            assertThat(answer).endsWith(Wire.optionReply(2, 1));
        }
    }

    @Test
    void startTlsWithDataIsInvalid() {
        for (TlsMode mode : new TlsMode[] {TlsMode.OPTIONAL, TlsMode.REQUIRED}) {
            for (int bytes : new int[] {1, 70_000}) {
                try (Conversation conversation = with(mode)) {
                    assertThat(answerTo(conversation, Wire.option(5, new byte[bytes])))
                            .startsWith(refusal(5, Wire.ERR_INVALID));
                    assertThat(conversation.isOpen()).isTrue();
                }
            }
        }
    }

    @Test
    void nothingIsServedBeforeTheTlsThatIsRequired() {
        int[] options = {3, 6, 7, 8, 9, 10, 11, 99};
        for (int option : options) {
            try (Conversation conversation = with(TlsMode.REQUIRED)) {
                byte[] data = option == 6 || option == 7 ? Wire.infoData("mem") : new byte[3];
                assertThat(answerTo(conversation, Wire.option(option, data)))
                        .startsWith(refusal(option, Wire.ERR_TLS_REQD));
                conversation.send(STARTTLS);
                assertThat(conversation.received()).isEqualTo(Wire.optionReply(5, 1));
            }
        }
    }

    @Test
    void anOptionTooLongForUsIsToldOfTlsAllTheSame() {
        try (Conversation conversation = with(TlsMode.REQUIRED)) {
            assertThat(answerTo(conversation, Wire.option(7, new byte[100_000])))
                    .startsWith(refusal(7, Wire.ERR_TLS_REQD));
        }
    }

    @Test
    void abortIsAnsweredBeforeTls() {
        try (Conversation conversation = with(TlsMode.REQUIRED)) {
            assertThat(answerTo(conversation, Wire.option(2, new byte[0])))
                    .isEqualTo(Wire.optionReply(2, 1));
            assertThat(conversation.isOpen()).isFalse();
        }
    }

    @Test
    void exportNameBeforeTheTlsThatIsRequiredHangsUp() {
        for (int bytes : new int[] {0, 70_000}) {
            try (Conversation conversation = with(TlsMode.REQUIRED)) {
                assertThat(answerTo(conversation, Wire.option(1, new byte[bytes]))).isEmpty();
                assertThat(conversation.isOpen()).isFalse();
            }
        }
    }

    @Test
    void optionalTlsServesInTheClear() {
        try (Conversation conversation = with(TlsMode.OPTIONAL)) {
            assertThat(answerTo(conversation, LIST)).endsWith(Wire.optionReply(3, 1));
            conversation.send(Wire.go("mem"));
            conversation.received();
            conversation.send(Wire.request(Wire.FLUSH, 0, 1, 0, 0));
            assertThat(conversation.received()).isEqualTo(Wire.reply(0, 1));
        }
    }

    /** Whoever may write into the client's stream must not speak for it inside TLS. */
    @Test
    void whatComesBehindStartTlsInTheClearEndsTheConnection() {
        byte[][] behind = {LIST, Wire.go("mem"), {0}, {0x16, 3, 1, 2, 0, 1}};
        for (byte[] injected : behind) {
            for (TlsMode mode : new TlsMode[] {TlsMode.OPTIONAL, TlsMode.REQUIRED}) {
                try (Conversation conversation = with(mode)) {
                    assertThat(answerTo(conversation, STARTTLS, injected))
                            .isEqualTo(Wire.optionReply(5, 1));
                    assertThat(conversation.isOpen()).isFalse();
                    assertThat(conversation.counters.protocolErrors()).isOne();
                }
            }
        }
    }

    /** The same, where it comes too late to be seen beside the option. */
    @Test
    void optionsInTheClearAfterTheAcknowledgementAreNeverRead() {
        try (Conversation conversation = with(TlsMode.OPTIONAL)) {
            assertThat(answerTo(conversation, STARTTLS)).isEqualTo(Wire.optionReply(5, 1));
            conversation.send(LIST);
            conversation.advanceMs(0);
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.tlsFailures()).isOne();
            assertThat(conversation.counters.tlsConnections()).isZero();
            assertThat(conversation.received()).doesNotContain(Wire.optionReply(3, 1));
        }
    }

    @Test
    void theDeadlineCoversAClientThatFallsSilentWithinTls() {
        try (Conversation conversation = with(TlsMode.REQUIRED)) {
            conversation.channel.freezeTime();
            answerTo(conversation, STARTTLS);
            conversation.send(new byte[] {0x16, 3, 1}); // the head of a record
            conversation.advanceMs(9_900);
            assertThat(conversation.isOpen()).isTrue();
            conversation.advanceMs(200);
            conversation.advanceMs(3_100); // what TLS gives its last words
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.handshakeTimeouts()).isOne();
        }
    }
}
