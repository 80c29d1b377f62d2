package dev.spindle.testbench.experiment;

import dev.spindle.config.HostConfig;
import dev.spindle.testbench.host.DeviceShelf;
import java.nio.file.Path;

/** One thread, replayed. */
public interface Experiment {
    /** The thread's number. */
    String name();

    /** One line for people. */
    String title();

    Outcome run(Setting setting);

    /**
     * Where and how often.
     *
     * @param home where conf/ is
     * @param seeds layouts to take the median over, where a layout is random
     */
    record Setting(Path home, int seeds) {
        public Path conf() {
            return home.resolve("conf/experiments.conf");
        }

        /** The machine of a thread, above its drives. */
        HostConfig host(String name) {
            return new DeviceShelf(conf()).host(name);
        }
    }
}
