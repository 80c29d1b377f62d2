package dev.spindle.drive.optical;

/** Profiles for tests, with the times that reproduce the thread of August 2004. */
public final class Burners {
    public static final OpticalProfile.Timing TIMING =
            new OpticalProfile.Timing(500_000, 160_000_000, 240_000_000, 3_500_000_000L);

    private Burners() {}

    /** The DVD+RW drive of the thread. */
    public static OpticalProfile dvdPlusRw() {
        return of(MediumKind.DVD_PLUS_RW, 4);
    }

    public static OpticalProfile of(MediumKind medium, double speed) {
        return in(MediumState.FORMATTED, medium, speed);
    }

    public static OpticalProfile in(MediumState state, MediumKind medium, double speed) {
        return new OpticalProfile(medium, state, speed, 2 * speed, TIMING, 20e6, 2 << 20);
    }
}
