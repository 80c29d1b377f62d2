package dev.spindle.control;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValueFactory;
import java.util.Map;

/** One JSON object and one line of text, each made from the other. */
public final class Json {
    private static final ConfigParseOptions JSON =
            ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON);

    private Json() {}

    public static Map<String, Object> parse(String line) throws BadRequestException {
        try {
            return ConfigFactory.parseString(line, JSON).root().unwrapped();
        } catch (ConfigException e) {
            throw new BadRequestException("not one JSON object", e);
        } catch (StackOverflowError e) {
            throw new BadRequestException("JSON nested too deep", e);
        }
    }

    public static String render(Map<String, ?> object) {
        return ConfigValueFactory.fromMap(object).render(ConfigRenderOptions.concise());
    }

    /** Over several lines, for people. */
    public static String renderFormatted(Map<String, ?> object) {
        ConfigRenderOptions formatted =
                ConfigRenderOptions.defaults().setOriginComments(false).setComments(false);
        return ConfigValueFactory.fromMap(object).render(formatted).strip();
    }
}
