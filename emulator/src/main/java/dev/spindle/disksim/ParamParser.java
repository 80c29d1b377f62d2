package dev.spindle.disksim;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads DiskSim's parameter language:
 *
 * <pre>
 *   file   = { "source" path | "instantiate" list "as" word | "topology" ... | block }
 *   block  = type [ name ] "{" [ key "=" value { "," key "=" value } [ "," ] ] "}"
 *   value  = words | list | block | "source" path
 *   list   = "[" [ value { "," value } [ "," ] ] "]"
 * </pre>
 *
 * A path is looked for beside the file that names it. A value that is the name of a block read
 * before stands for that block.
 */
final class ParamParser {
    private static final int MAX_DEPTH = 32;

    private final Map<String, ParamBlock> named = new LinkedHashMap<>();
    private final List<ParamBlock> top = new ArrayList<>();
    private int depth;

    private ParamParser() {}

    /** The blocks of a file and of those it sources, in the order in which they are read. */
    static List<ParamBlock> parse(Path file) throws DiskSimException {
        ParamParser parser = new ParamParser();
        parser.readFile(file);
        return List.copyOf(parser.top);
    }

    private void readFile(Path file) throws DiskSimException {
        deeper(new Place(file, 1));
        Tokens tokens = Tokens.open(file);
        for (String word = tokens.peek(); word != null; word = tokens.peek()) {
            switch (word) {
                case "source" -> {
                    tokens.take();
                    readFile(beside(file, tokens));
                }
                case "instantiate" -> skipInstantiation(file, tokens);
                case "topology" -> skipTopology(tokens);
                default -> top.add(readBlock(file, tokens));
            }
        }
        depth--;
    }

    private static Path beside(Path file, Tokens tokens) throws DiskSimException {
        Place place = tokens.place();
        String name = tokens.take();
        if (name == null || Tokens.isSign(name)) {
            throw DiskSimException.at(
                    place, "expected a file after source, found " + Tokens.named(name));
        }
        return beside(file, name, place);
    }

    /** The file a parameter names, from the folder of the file that names it. */
    static Path beside(Path file, String name, Place place) throws DiskSimException {
        Path found = file.resolveSibling(name);
        if (!Files.isRegularFile(found)) {
            throw DiskSimException.at(place, "names " + found + ", which does not exist");
        }
        return found;
    }

    private void skipInstantiation(Path file, Tokens tokens) throws DiskSimException {
        tokens.take();
        readList(file, tokens);
        tokens.take();
        tokens.take();
    }

    private static void skipTopology(Tokens tokens) throws DiskSimException {
        int open = 0;
        do {
            Place place = tokens.place();
            String token = tokens.take();
            if (token == null) {
                throw DiskSimException.at(place, "topology without its ]");
            }
            open += token.equals("[") ? 1 : token.equals("]") ? -1 : 0;
            if (token.equals("]") && open == 0) {
                return;
            }
        } while (true);
    }

    private ParamBlock readBlock(Path file, Tokens tokens) throws DiskSimException {
        Place place = tokens.place();
        List<String> words = words(tokens);
        if (!"{".equals(tokens.peek()) || words.isEmpty()) {
            throw DiskSimException.at(
                    place,
                    "expected a block 'type name { ... }', found "
                            + Tokens.named(
                                    words.isEmpty() ? tokens.peek() : String.join(" ", words)));
        }
        return readBody(file, tokens, words, place);
    }

    private ParamBlock readBody(Path file, Tokens tokens, List<String> words, Place place)
            throws DiskSimException {
        deeper(place);
        String name = String.join(" ", words.subList(1, words.size()));
        ParamBlock block = new ParamBlock(words.getFirst(), name, place);
        tokens.expect("{", "to begin " + block);
        while (!"}".equals(tokens.peek())) {
            readParameter(file, tokens, block);
            if (!"}".equals(tokens.peek())) {
                tokens.expect(",", "or } in " + block);
            }
        }
        tokens.take();
        depth--;
        if (!name.isEmpty()) {
            named.put(name, block);
        }
        return block;
    }

    private void readParameter(Path file, Tokens tokens, ParamBlock block) throws DiskSimException {
        Place place = tokens.place();
        String key = String.join(" ", words(tokens));
        if (key.isEmpty()) {
            throw DiskSimException.at(
                    place,
                    "expected 'key = value' in "
                            + block
                            + ", found "
                            + Tokens.named(tokens.peek()));
        }
        tokens.expect("=", "after '" + key + "' in " + block);
        block.put(key, readValue(file, tokens, "'" + key + "'"));
    }

    private ParamValue readValue(Path file, Tokens tokens, String what) throws DiskSimException {
        Place place = tokens.place();
        if ("[".equals(tokens.peek())) {
            return readList(file, tokens);
        }
        if ("source".equals(tokens.peek())) {
            tokens.take();
            return new ParamValue.Block(sourced(beside(file, tokens)), place);
        }
        List<String> words = words(tokens);
        if (words.isEmpty()) {
            throw DiskSimException.at(
                    place, what + " has no value, found " + Tokens.named(tokens.peek()));
        }
        if ("=".equals(tokens.peek())) {
            throw DiskSimException.at(place, "expected , after the value of " + what);
        }
        if ("{".equals(tokens.peek())) {
            return new ParamValue.Block(readBody(file, tokens, words, place), place);
        }
        String text = String.join(" ", words);
        return Optional.ofNullable(named.get(text))
                .<ParamValue>map(block -> new ParamValue.Block(block, place))
                .orElseGet(() -> new ParamValue.Text(text, place));
    }

    /** A sourced file's own block. */
    private ParamBlock sourced(Path file) throws DiskSimException {
        int before = top.size();
        readFile(file);
        if (top.size() == before) {
            throw DiskSimException.at(new Place(file, 1), "holds no block");
        }
        return top.removeLast();
    }

    private ParamValue.Listing readList(Path file, Tokens tokens) throws DiskSimException {
        Place place = tokens.place();
        deeper(place);
        tokens.expect("[", "to begin a list");
        List<ParamValue> values = new ArrayList<>();
        while (!"]".equals(tokens.peek())) {
            values.add(readValue(file, tokens, "the list"));
            if (!"]".equals(tokens.peek())) {
                tokens.expect(",", "or ] in the list that begins at line " + place.line());
            }
        }
        tokens.take();
        depth--;
        return new ParamValue.Listing(values, place);
    }

    private static List<String> words(Tokens tokens) {
        List<String> words = new ArrayList<>();
        for (@Nullable String word = tokens.peek();
                word != null && !Tokens.isSign(word);
                word = tokens.peek()) {
            words.add(word);
            tokens.take();
        }
        return words;
    }

    private void deeper(Place place) throws DiskSimException {
        depth++;
        if (depth > MAX_DEPTH) {
            throw DiskSimException.at(place, "more than " + MAX_DEPTH + " levels deep");
        }
    }
}
