package dev.spindle.report;

import java.util.Map;

/**
 * What the daemon counted for one device while the program ran, of all its clients.
 *
 * @param counters by the labels of stat, after less before
 * @param offenders who wrote on although the packet writer's flag was up, and how often
 * @param isPrivate the daemon served this program alone
 * @param timeScale how much faster than the wall's the device's time passes
 */
public record DaemonView(
        String device,
        Map<String, Long> counters,
        Map<String, Long> offenders,
        boolean isPrivate,
        double timeScale) {
    public DaemonView {
        counters = Map.copyOf(counters);
        offenders = Map.copyOf(offenders);
    }

    long counter(String label) {
        return counters.getOrDefault(label, 0L);
    }
}
