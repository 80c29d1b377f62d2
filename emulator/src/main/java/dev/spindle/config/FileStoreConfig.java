package dev.spindle.config;

import java.nio.file.Path;

/**
 * In an image file.
 *
 * @param path already resolved against the folder of the conf file that names it
 * @param create a missing image is created, sparse
 */
public record FileStoreConfig(Path path, boolean create) implements StoreConfig {}
