package dev.spindle.cli;

import dev.spindle.config.ConfigException;
import dev.spindle.control.RefusedException;
import dev.spindle.daemon.Version;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The program {@code spindle}. */
@Command(
        name = "spindle",
        description = "Plays a drive, timing included, and serves it over NBD.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle serve conf/spindle.conf",
            "  spindle run --device hda -- dd if=/dev/hda of=/dev/null bs=1M count=8 iflag=direct",
            "  spindle tune hda queue/nr_requests=1024",
            "  spindle stat --watch",
            "",
            "Daemons are found in $SPINDLE_RUNTIME_DIR, else $XDG_RUNTIME_DIR/spindle, else"
                    + " /tmp/spindle-UID.",
            "Exit status: 0 done, 1 failed, 2 wrong usage; run: that of the program."
        },
        subcommands = {
            ServeCommand.class,
            RunCommand.class,
            TuneCommand.class,
            DiscCommand.class,
            StatCommand.class,
            ListCommand.class,
            PrintConfigCommand.class,
            ExperimentCommand.class,
            ValidateCommand.class
        })
public final class Main {
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    @Option(
            names = {"-v", "--verbose"},
            scope = CommandLine.ScopeType.INHERIT,
            description = "Logs start, stop and connections; shows the cause of a failure.")
    private boolean isVerbose;

    private final Surroundings surroundings;

    Main(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        int status = commandLine(Surroundings.ofProcess()).execute(arguments);
        System.out.flush();
        System.exit(status);
    }

    static CommandLine commandLine(Surroundings surroundings) {
        Main main = new Main(surroundings);
        CommandLine commandLine =
                new CommandLine(main, new CommandFactory(surroundings))
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setOut(surroundings.out())
                        .setErr(surroundings.err())
                        .setUsageHelpWidth(100)
                        .setParameterExceptionHandler(main::explainUsage)
                        .setExecutionExceptionHandler(main::explainFailure)
                        .setExecutionStrategy(main::execute);
        Objects.requireNonNull(commandLine.getSubcommands().get("run")).setStopAtPositional(true);
        TuneCommand.explainKeys(Objects.requireNonNull(commandLine.getSubcommands().get("tune")));
        return commandLine;
    }

    private int execute(ParseResult parsed) {
        if (isVerbose) {
            System.setProperty("spindle.log.level", "INFO");
        }
        if (!parsed.hasSubcommand()
                && !parsed.isUsageHelpRequested()
                && !parsed.isVersionHelpRequested()) {
            throw new CommandLine.ParameterException(
                    parsed.commandSpec().commandLine(), "no command given");
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private int explainUsage(CommandLine.ParameterException e, String[] arguments) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        String line =
                String.valueOf(e.getMessage())
                        .replaceFirst("is not an? (int|long)$", "is not a whole number")
                        .replaceFirst("is not a double$", "is not a number");
        surroundings.err().println("spindle: " + line);
        surroundings.err().println("Try '" + command + " --help'.");
        surroundings.err().flush();
        return WRONG_USAGE;
    }

    private int explainFailure(Exception e, CommandLine command, ParseResult parsed) {
        for (String line : lines(e)) {
            surroundings.err().println("spindle: " + line);
        }
        if (isVerbose) {
            e.printStackTrace(surroundings.err());
        }
        surroundings.err().flush();
        return FAILED;
    }

    private static List<String> lines(Exception e) {
        return switch (e) {
            case Failure failure -> failure.lines();
            case ConfigException bad -> bad.problems();
            case RefusedException refused -> List.of(String.valueOf(refused.getMessage()));
            case IOException io -> List.of(String.valueOf(io.getMessage()));
            case IllegalArgumentException bad -> List.of(String.valueOf(bad.getMessage()));
            default -> List.of("a fault of Spindle's own: " + e + "; -v shows where");
        };
    }

    /** Commands are made with what surrounds them; picocli's own helpers without. */
    private record CommandFactory(Surroundings surroundings) implements CommandLine.IFactory {
        private static final CommandLine.IFactory OTHERS = CommandLine.defaultFactory();

        @Override
        public <K> K create(Class<K> type) throws Exception {
            Map<Class<?>, Object> made =
                    Map.of(
                            ServeCommand.class, new ServeCommand(surroundings),
                            RunCommand.class, new RunCommand(surroundings),
                            TuneCommand.class, new TuneCommand(surroundings),
                            DiscCommand.class, new DiscCommand(surroundings),
                            StatCommand.class, new StatCommand(surroundings),
                            ListCommand.class, new ListCommand(surroundings),
                            PrintConfigCommand.class, new PrintConfigCommand(surroundings),
                            ExperimentCommand.class, new ExperimentCommand(surroundings),
                            ValidateCommand.class, new ValidateCommand(surroundings));
            Object command = made.get(type);
            return command == null ? OTHERS.create(type) : type.cast(command);
        }
    }

    /** One line: program and version. */
    static final class VersionText implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"spindle " + Version.text()};
        }
    }
}
