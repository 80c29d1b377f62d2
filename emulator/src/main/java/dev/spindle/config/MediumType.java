package dev.spindle.config;

/** The disc in an optical drive, with the size and the packets that it has when formatted. */
public enum MediumType {
    CD_RW("cd-rw", 295_264L * 2048, 65_536),
    DVD_PLUS_RW("dvd+rw", 2_295_104L * 2048, 32_768),
    DVD_MINUS_RW("dvd-rw", 2_297_888L * 2048, 32_768),
    DVD_RAM("dvd-ram", 2_295_072L * 2048, 32_768);

    private final String word;
    private final long capacityBytes;
    private final int packetBytes;

    MediumType(String word, long capacityBytes, int packetBytes) {
        this.word = word;
        this.capacityBytes = capacityBytes;
        this.packetBytes = packetBytes;
    }

    public long capacityBytes() {
        return capacityBytes;
    }

    public int packetBytes() {
        return packetBytes;
    }

    @Override
    public String toString() {
        return word;
    }
}
