package dev.spindle.config;

/** On or off. */
record Flag() implements ValueType<Boolean> {
    @Override
    public Boolean parse(String text) throws BadValueException {
        return switch (text) {
            case "on", "true", "yes" -> true;
            case "off", "false", "no" -> false;
            default ->
                    throw new BadValueException(
                            "\"" + text + "\" is neither on nor off, allowed " + allowed());
        };
    }

    @Override
    public String render(Boolean value) {
        return value ? "on" : "off";
    }

    @Override
    public String allowed() {
        return "on or off";
    }

    @Override
    public Boolean sample() {
        return false;
    }
}
