package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The manual's tables are the table of keys. */
final class ConfigurationDocTest {
    private static final Path DOCUMENT = ShippedConfTest.ROOT.resolve("docs/configuration.md");
    private static final String COMMAND =
            "mvn -pl emulator test -Dtest=ConfigurationDocTest -Dspindle.docs.write=true";

    @Test
    void theTablesAreThoseOfTheKeys() throws IOException {
        String document = Files.readString(DOCUMENT);
        String fresh = KeyReference.refresh(document);
        if (Boolean.getBoolean("spindle.docs.write")) {
            Files.writeString(DOCUMENT, fresh);
            return;
        }
        assertThat(document).as("out of date; renew it by: %s", COMMAND).isEqualTo(fresh);
    }

    @Test
    void everySectionHasItsTable() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(KeyReference.sections())
                .allSatisfy(
                        section -> assertThat(document).contains("<!-- keys: " + section + " -->"));
    }
}
