package dev.spindle.config;

/** The permissions of a file, as octal digits. */
record FileMode() implements ValueType<Integer> {
    @Override
    public Integer parse(String text) throws BadValueException {
        if (!text.matches("0?[0-7]{3}")) {
            throw new BadValueException(
                    "\"" + text + "\" is not a file mode, allowed " + allowed());
        }
        return Integer.parseInt(text, 8);
    }

    @Override
    public String render(Integer value) {
        return String.format("%04o", value);
    }

    @Override
    public String allowed() {
        return "0000 to 0777, octal";
    }

    @Override
    public Integer sample() {
        return 0600;
    }
}
