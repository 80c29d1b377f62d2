package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NbdErrorTest {
    @ParameterizedTest
    @CsvSource({
        "OK,0",
        "IO_ERROR,5",
        "NO_SPACE,28",
        "READ_ONLY,1",
        "INVALID,22",
        "NOT_SUPPORTED,22",
        "WOULD_BLOCK,5",
        "SHUTDOWN,108"
    })
    void everyStatusHasItsNumberOnTheWire(BlockStatus status, int code) {
        assertThat(NbdError.of(status).code()).isEqualTo(code);
        assertThat(BlockStatus.values()).hasSize(8);
    }
}
