package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowUpReadsTest {
    private final FollowUpReads followUps = new FollowUpReads();

    /** A readable socket, with something for so many reads; the number of reads made. */
    private int readable(int withSomething) {
        followUps.begin();
        int reads = 0;
        boolean something;
        do {
            reads++;
            something = reads <= withSomething;
            followUps.hasRead(something);
        } while (something && followUps.isWorthATry());
        return reads;
    }

    @Test
    void readsOnWhereMoreIsThereUpToABound() {
        for (int i = 0; i < 10; i++) {
            assertThat(readable(Integer.MAX_VALUE)).isEqualTo(FollowUpReads.MAX_READS);
        }
    }

    @Test
    void seldomTriesWhereNothingIsThere() {
        int inVain = 0;
        for (int i = 0; i < 1000; i++) {
            inVain += readable(1) - 1;
        }
        assertThat(inVain).isBetween(10, 30);
    }

    @Test
    void oneThatSucceedsEndsThePause() {
        for (int i = 0; i < 500; i++) {
            readable(1);
        }
        for (int i = 0; i <= FollowUpReads.LONGEST_PAUSE; i++) {
            readable(2);
        }
        assertThat(readable(2)).isEqualTo(3);
    }
}
