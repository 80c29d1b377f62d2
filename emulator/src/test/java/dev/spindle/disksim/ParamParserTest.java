package dev.spindle.disksim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParamParserTest {
    @TempDir Path folder;

    private List<ParamBlock> parse(String text) throws IOException, DiskSimException {
        return ParamParser.parse(Files.writeString(folder.resolve("a"), text));
    }

    private void refuses(String text, String message) {
        assertThatThrownBy(() -> parse(text)).hasMessage(folder.resolve("a") + message);
    }

    @Test
    void readsBlocksInBlocksAndLists() throws IOException, DiskSimException {
        ParamBlock block =
                parse("t n { a b = 1.5, # why\n c = [ 1, 2, [], ], d = u { e = x y }, }")
                        .getFirst();
        assertThat(block).hasToString("t n");
        assertThat(block.number("a b", 0, 2)).isEqualTo(1.5);
        assertThat(block.list("c")).hasSize(3);
        assertThat(block.block("d").text("e")).isEqualTo("x y");
    }

    @Test
    void takesTheNameOfABlockForTheBlock() throws IOException, DiskSimException {
        List<ParamBlock> blocks = parse("t one { a = 1 }\nt two { b = one }");
        assertThat(blocks.getLast().block("b").whole("a", 0, 9)).isEqualTo(1);
    }

    @Test
    void aKeyGivenTwiceHoldsTheLast() throws IOException, DiskSimException {
        assertThat(parse("t n { a = 1, a = 2 }").getFirst().whole("a", 0, 9)).isEqualTo(2);
    }

    @Test
    void saysWhereACommaIsMissing() {
        refuses("t n {\n a = 1\n b = 2 }", ":2: expected , after the value of 'a'");
        refuses(
                "t n { a = [ 1 [ ] ] }",
                ":1: expected , or ] in the list that begins at line 1, found '['");
    }

    @Test
    void saysWhereABlockHasNoEnd() {
        refuses("t n {\n a = 1,\n", ":3: expected 'key = value' in t n, found the end of the file");
    }

    @Test
    void saysWhereAValueIsMissing() {
        refuses("t n { a = , b = 1 }", ":1: 'a' has no value, found ','");
        refuses("t n { a, b = 1 }", ":1: expected = after 'a' in t n, found ','");
    }

    @Test
    void saysWhatStandsOutsideOfBlocks() {
        refuses("= 3", ":1: expected a block 'type name { ... }', found '='");
        refuses("stray words", ":1: expected a block 'type name { ... }', found 'stray words'");
        refuses("topology x [ y [", ":1: topology without its ]");
        refuses("source {", ":1: expected a file after source, found '{'");
    }

    @Test
    void aFileThatSourcesItselfEnds() {
        assertThatThrownBy(() -> parse("source a"))
                .hasMessageContaining("more than 32 levels deep");
    }

    @Test
    void saysThatAFileIsNotThere() {
        assertThatThrownBy(() -> ParamParser.parse(folder.resolve("none")))
                .hasMessage(folder.resolve("none") + ": no such file");
    }
}
