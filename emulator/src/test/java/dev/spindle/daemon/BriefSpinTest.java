package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class BriefSpinTest {
    private static final long US = 1_000;
    private static final long SHORT_US = 20;

    private long nowNs;
    private int ready;
    private int looks;
    private final BriefSpin spin = new BriefSpin(() -> nowNs);

    /** What the loop is to do, so long after it was last asked. */
    private int afterUs(long us) throws Exception {
        nowNs += us * US;
        return spin.calculateStrategy(
                () -> {
                    looks++;
                    return ready;
                },
                false);
    }

    private void earn() throws Exception {
        for (int i = 0; i < -BriefSpin.LEAST_CREDIT; i++) {
            assertThat(afterUs(SHORT_US)).isEqualTo(SelectStrategy.SELECT);
        }
        assertThat(looks).isZero();
    }

    @Test
    void sleepsUntilNearlyAllWaitsWereShort() throws Exception {
        for (int i = 0; i < 1000; i++) {
            assertThat(afterUs(i % 8 == 7 ? 200 : SHORT_US)).isEqualTo(SelectStrategy.SELECT);
        }
        assertThat(looks).isZero();
        earn();
        assertThat(afterUs(SHORT_US)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void looksAgainAndAgainAndTakesWhatComes() throws Exception {
        earn();
        for (int request = 0; request < 100; request++) {
            ready = 0;
            assertThat(afterUs(5)).isEqualTo(SelectStrategy.CONTINUE);
            assertThat(afterUs(5)).isEqualTo(SelectStrategy.CONTINUE);
            ready = 1;
            assertThat(afterUs(5)).isEqualTo(1);
        }
    }

    @Test
    void goesToSleepWhereNothingComesAndFewOfThoseEndIt() throws Exception {
        earn();
        int spins = 0;
        boolean spinsOn = true;
        while (spinsOn) {
            int next = afterUs(5);
            spinsOn = next == SelectStrategy.CONTINUE;
            while (next == SelectStrategy.CONTINUE) {
                next = afterUs(5);
            }
            assertThat(next).isEqualTo(SelectStrategy.SELECT);
            spins += spinsOn ? 1 : 0;
        }
        assertThat(spins).isBetween(1, 1 + BriefSpin.MOST_CREDIT / BriefSpin.COST_OF_A_MISS);
        looks = 0;
        for (int i = 0; i < 1000; i++) {
            assertThat(afterUs(1000)).isEqualTo(SelectStrategy.SELECT);
        }
        assertThat(looks).isZero();
    }

    @Test
    void doesNotSpinWhereTheNextRequestIsThereAlready() throws Exception {
        earn();
        ready = 1;
        int spun = 0;
        for (int i = 0; i < 1000; i++) {
            spun += afterUs(SHORT_US) == SelectStrategy.SELECT ? 0 : 1;
        }
        assertThat(spun).isLessThan(20);
        assertThat(looks).isEqualTo(spun);
    }

    @Test
    void looksOnceAndLeavesWhereTheLoopHasOtherWork() throws Exception {
        ready = 3;
        int next =
                spin.calculateStrategy(
                        () -> {
                            looks++;
                            return ready;
                        },
                        true);
        assertThat(next).isEqualTo(3);
        assertThat(looks).isEqualTo(1);
    }
}
