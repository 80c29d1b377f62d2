package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseStackTest {
    private final List<String> closed = new ArrayList<>();
    private final CloseStack stack = new CloseStack();

    private AutoCloseable named(String name) {
        return () -> closed.add(name);
    }

    private AutoCloseable failing(String name) {
        return () -> {
            throw new IOException(name);
        };
    }

    @Test
    void closesInReverseOrderAndOnce() throws IOException {
        stack.add(named("first"));
        stack.add(named("second"));
        stack.close();
        stack.close();
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void closesTheRestAfterAFailureAndReportsTheFirst() {
        stack.add(named("first"));
        stack.add(failing("second"));
        stack.add(failing("third"));
        Throwable failure = catchThrowable(stack::close);
        assertThat(failure).hasMessage("third");
        assertThat(failure.getSuppressed())
                .singleElement()
                .extracting("message")
                .isEqualTo("second");
        assertThat(closed).containsExactly("first");
    }

    @Test
    void addsToTheFailureThatMadeItClose() {
        stack.add(failing("first"));
        IOException cause = new IOException("cause");
        stack.closeAfter(cause);
        assertThat(cause.getSuppressed()).hasSize(1);
    }
}
