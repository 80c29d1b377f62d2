package dev.spindle.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** One or more host names or addresses, with commas between them. */
record HostList() implements ValueType<List<String>> {
    private static final int MAX_HOSTS = 16;
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:_%-]{1,255}");

    @Override
    public List<String> parse(String text) throws BadValueException {
        List<String> hosts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        boolean isSound = hosts.size() <= MAX_HOSTS;
        for (String host : hosts) {
            isSound &= HOST.matcher(host).matches();
        }
        if (!isSound) {
            throw new BadValueException("\"" + text + "\" is not allowed, allowed " + allowed());
        }
        if (hosts.stream().distinct().count() < hosts.size()) {
            throw new BadValueException("\"" + text + "\" names a host twice");
        }
        return hosts;
    }

    @Override
    public String render(List<String> value) {
        return String.join(",", value);
    }

    @Override
    public String allowed() {
        return "host names or addresses, with commas between, at most " + MAX_HOSTS;
    }

    @Override
    public List<String> sample() {
        return List.of("127.0.0.1");
    }
}
