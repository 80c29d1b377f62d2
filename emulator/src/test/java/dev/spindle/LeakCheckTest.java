package dev.spindle;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** The check itself can fail. */
class LeakCheckTest {
    @Test
    void aBufferThatNobodyReleasedIsFoundAndOneThatWasIsNot() throws InterruptedException {
        LeakCheck.failIfAnyLeaked();
        leak(true);
        assertThatCode(LeakCheck::failIfAnyLeaked).doesNotThrowAnyException();
        leak(false);
        assertThatThrownBy(LeakCheck::failIfAnyLeaked)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("leaked buffers");
    }

    private static void leak(boolean released) {
        ByteBuf buffer = Unpooled.directBuffer(100);
        if (released) {
            buffer.release();
        }
    }
}
