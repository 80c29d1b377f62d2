package dev.spindle.config;

/** An integer within a range, perhaps only powers of two. */
record WholeNumber(int least, int most, boolean isPowerOfTwo) implements ValueType<Integer> {
    private static final int MAX_DIGITS = 18;

    static WholeNumber from(int least, int most) {
        return new WholeNumber(least, most, false);
    }

    static WholeNumber powerOfTwo(int least, int most) {
        return new WholeNumber(least, most, true);
    }

    @Override
    public Integer parse(String text) throws BadValueException {
        if (!text.matches("-?\\d+")) {
            throw new BadValueException(
                    "\"" + text + "\" is not a whole number, allowed " + allowed());
        }
        if (text.length() > MAX_DIGITS
                || Long.parseLong(text) < least
                || Long.parseLong(text) > most) {
            throw new BadValueException(text + " is out of range, allowed " + allowed());
        }
        long value = Long.parseLong(text);
        if (isPowerOfTwo && Long.bitCount(value) != 1) {
            throw new BadValueException(value + " is not a power of two, allowed " + allowed());
        }
        return (int) value;
    }

    @Override
    public String render(Integer value) {
        return value.toString();
    }

    @Override
    public String allowed() {
        return (isPowerOfTwo ? "a power of two from " : "") + least + " to " + most;
    }

    @Override
    public Integer sample() {
        return least;
    }
}
