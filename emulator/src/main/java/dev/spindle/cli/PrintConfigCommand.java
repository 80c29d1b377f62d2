package dev.spindle.cli;

import dev.spindle.config.ConfigLoader;
import dev.spindle.config.LoadedConfig;
import dev.spindle.config.SettingsPrinter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle print-config}: the settings a daemon would use, and why. */
@Command(
        name = "print-config",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description =
                "Checks a conf file and shows every setting with its unit and where it comes"
                        + " from.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle print-config conf/spindle.conf",
            "  spindle print-config conf/spindle.conf --set devices.hda.size=4GiB | grep size",
            "  spindle print-config conf/spindle.conf --hocon > all.conf"
        })
final class PrintConfigCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CONF", description = "The conf file.")
    private Path conf;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Overrides a setting of the conf file; may be given again.")
    private List<String> set = new ArrayList<>();

    @Option(names = "--hocon", description = "As a conf file, to be loaded again.")
    private boolean isHocon;

    private final Surroundings surroundings;

    PrintConfigCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        LoadedConfig loaded = ConfigLoader.read(conf, SettingsOption.parse(set));
        surroundings
                .out()
                .print(
                        isHocon
                                ? SettingsPrinter.asHocon(loaded.settings())
                                : SettingsPrinter.asText(loaded.settings()));
        surroundings.out().flush();
        return 0;
    }
}
