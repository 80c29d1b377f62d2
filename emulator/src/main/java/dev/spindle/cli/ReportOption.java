package dev.spindle.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * How {@code --report}, {@code --report=FILE} and {@code --report FILE} are told from {@code
 * --report PROGRAM}: without the sign of equality only a name that ends in .html or .json is the
 * file.
 */
final class ReportOption implements IParameterPreprocessor, ITypeConverter<ReportOption.Asked> {
    /** What is asked for: the text, or a file too. */
    record Asked(Optional<Path> file) {
        static final Asked TEXT = new Asked(Optional.empty());

        boolean isJson() {
            return file.map(path -> ending(path.toString()).equals("json")).orElse(false);
        }

        /** Before the program runs: what cannot be written later is said now. */
        void check() {
            file.ifPresent(path -> {
                Path folder = path.toAbsolutePath().getParent();
                if (folder == null || !Files.isWritable(folder) || Files.isDirectory(path)) {
                    throw new Failure("--report=" + path + ": cannot be written");
                }
            });
        }
    }

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's own
    public boolean preprocess(
            Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        boolean isAttached = "=".equals(info.get("separator"));
        if (!isAttached && (args.isEmpty() || !isFile(args.peek()))) {
            args.push("");
        }
        return false;
    }

    @Override
    public Asked convert(String file) {
        if (file.isEmpty()) {
            return Asked.TEXT;
        }
        if (!isFile(file)) {
            throw new TypeConversionException("--report=" + file + ": wants .html or .json");
        }
        return new Asked(Optional.of(Path.of(file)));
    }

    private static boolean isFile(String text) {
        return !text.startsWith("-")
                && (ending(text).equals("html") || ending(text).equals("json"));
    }

    private static String ending(String text) {
        return text.substring(text.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }
}
