package dev.spindle.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ControlRequestTest {
    static Stream<ControlRequest> all() {
        return Stream.of(
                new ControlRequest.Devices(),
                new ControlRequest.Stat(Optional.empty()),
                new ControlRequest.Stat(Optional.of("hda")),
                new ControlRequest.StartTrace("hda", Path.of("/tmp/a \"b\"")),
                new ControlRequest.StopTrace("hda"),
                new ControlRequest.Reset("hda"),
                ControlRequest.Attribute.read("block/hda/size"),
                ControlRequest.Attribute.write("block/hda/queue/nr_requests", "\u00ff\0\n"),
                new ControlRequest.Attribute(
                        "class/pktcdvd/device_map",
                        Optional.empty(),
                        OptionalInt.of(3),
                        List.of("hda", "dvd")),
                new ControlRequest.Disc("hda", "quick-blank"),
                new ControlRequest.Tune("hda", Map.of("queue/nr_requests", "64", "x.y", "off")));
    }

    @ParameterizedTest
    @MethodSource("all")
    void isReadAsItWasWritten(ControlRequest request) throws BadRequestException {
        assertThat(ControlRequest.parse(request.line())).isEqualTo(request);
    }

    @Test
    void carriesBytesInBase64() throws BadRequestException {
        byte[] cdb = {0x2a, 0, -1, 7};
        byte[] data = {0, 10, 13, -128};
        var sent = new ControlRequest.Scsi("dvd", cdb, 36, data);
        var read = (ControlRequest.Scsi) ControlRequest.parse(sent.line());
        assertThat(read.cdb()).isEqualTo(cdb);
        assertThat(read.out()).isEqualTo(data);
        assertThat(read.inBytes()).isEqualTo(36);
    }

    @Test
    void takesNumbersAndBooleansForTexts() throws BadRequestException {
        String line =
                """
                {"command":"tune","device":"hda","settings":{"queue/nr_requests":64,"a":true}}\
                """;
        assertThat(ControlRequest.parse(line))
                .isEqualTo(
                        new ControlRequest.Tune(
                                "hda", Map.of("queue/nr_requests", "64", "a", "true")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"command\":\"scsi\",\"device\":\"dvd\",\"cdb\":\"?\"}|\"cdb\" is no base64",
                "{\"command\":\"scsi\",\"device\":\"dvd\",\"length\":-1}|no whole number",
                "hello|not one JSON object",
                "``|not one JSON object",
                "[1]|not one JSON object",
                "{\"command\":|not one JSON object",
                "{}|allowed attribute, disc, list, reset, scsi, stat, trace, trace-stop, tune",
                "{\"command\":\"trace\",\"device\":\"hda\",\"output\":\"x\"}|trace: no absolute path as"
                        + " \"output\"",
                "{\"command\":\"reset\"}|reset: no \"device\"",
                "{\"command\":\"attribute\"}|attribute: no \"path\"",
                "{\"command\":\"attribute\",\"path\":\"x\",\"value\":1}|\"value\" is no text",
                "{\"command\":\"attribute\",\"path\":\"x\",\"minor\":-1}|\"minor\" is no number",
                "{\"command\":\"trace-stop\"}|trace-stop: no \"device\"",
                "{\"command\":\"stop\"}|command stop: allowed attribute, disc, list, reset, scsi, stat, trace, trace-stop, tune",
                "{\"command\":\"tune\",\"settings\":{\"a\":1}}|no \"device\"",
                "{\"command\":\"tune\",\"device\":{},\"settings\":{\"a\":1}}|no \"device\"",
                "{\"command\":\"tune\",\"device\":\"hda\"}|no \"settings\"",
                "{\"command\":\"tune\",\"device\":\"hda\",\"settings\":{}}|no \"settings\"",
                "{\"command\":\"tune\",\"device\":\"hda\",\"settings\":[]}|no \"settings\""
            })
    void refusesWhatIsNoRequest(String line, String why) {
        assertThatThrownBy(() -> ControlRequest.parse(line))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining(why);
    }

    @Test
    void survivesNestingWithoutEnd() {
        String line = "{\"a\":" + "[".repeat(ControlServer.MAX_LINE_BYTES);
        assertThatThrownBy(() -> ControlRequest.parse(line))
                .isInstanceOf(BadRequestException.class);
    }
}
