package dev.spindle.queue;

/**
 * Whether a request that finds the queue empty waits for company (blk_plug_device of Linux 2.6).
 *
 * @param isTimed off: only until the end of the batch it was published in
 * @param threshold so many waiting commands unplug
 * @param delayNs so long after plugging the queue unplugs by itself
 */
public record PlugSettings(boolean isTimed, int threshold, long delayNs) {
    public static final PlugSettings BATCH_ONLY = new PlugSettings(false, 4, 3_000_000);
    public static final PlugSettings KERNEL = new PlugSettings(true, 4, 3_000_000);

    public PlugSettings {
        if (threshold < 1 || delayNs < 0) {
            throw new IllegalArgumentException(
                    "plug: threshold=" + threshold + " delay=" + delayNs + " ns");
        }
    }
}
