package dev.spindle.daemon;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Which Spindle this is, as the build wrote it down. */
public final class Version {
    private Version() {}

    public static String text() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/spindle.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException _) {
            // Said below.
        }
        return properties.getProperty("version", "unknown");
    }
}
