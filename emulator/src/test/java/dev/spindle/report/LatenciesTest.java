package dev.spindle.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    /** As bucket_of in report.c has it. */
    private static int bucketOf(long ns) {
        int sub = 1 << Latencies.SUB_BITS;
        if (ns < sub) {
            return (int) ns;
        }
        int top = 63 - Long.numberOfLeadingZeros(ns);
        int doubling = top - Latencies.SUB_BITS;
        return ((doubling + 1) << Latencies.SUB_BITS) + (int) (ns >> doubling & (sub - 1));
    }

    @Test
    void eachBucketsLongestIsItsOwnAndTheNextBelongsToTheNext() {
        for (int bucket = 0; bucket < Latencies.BUCKETS - 1; bucket++) {
            long longest = Latencies.longestNs(bucket);
            assertThat(bucketOf(longest)).isEqualTo(bucket);
            assertThat(bucketOf(longest + 1)).isEqualTo(bucket + 1);
        }
    }

    @Test
    void percentilesAreAtMostASixteenthTooHigh() {
        long seed = 20_061_103;
        Random random = new Random(seed);
        long[] sorted = random.longs(10_000, 100, 1_000_000_000).sorted().toArray();
        long[] counts = new long[Latencies.BUCKETS];
        for (long ns : sorted) {
            counts[bucketOf(ns)]++;
        }
        Latencies latencies = new Latencies(counts, sorted[sorted.length - 1]);
        for (double percent : new double[] {1, 50, 90, 99, 99.9, 100}) {
            long exact = sorted[(int) Math.ceil(sorted.length * percent / 100) - 1];
            assertThat(latencies.percentileNs(percent))
                    .as("seed %d, %s %%", seed, percent)
                    .isBetween(exact, exact + exact / 16 + 1);
        }
    }

    @Test
    void ofNoneIsZeroAndSumsAdd() {
        assertThat(Latencies.none().percentileNs(99)).isZero();
        long[] one = new long[Latencies.BUCKETS];
        one[5] = 1;
        Latencies both = new Latencies(one, 5).plus(new Latencies(one, 5));
        assertThat(both.percentileNs(100)).isEqualTo(5);
    }

    @Test
    void halfOfTwoIsTheFirst() {
        long[] counts = new long[Latencies.BUCKETS];
        counts[3] = 1;
        counts[9] = 1;
        Latencies latencies = new Latencies(counts, 9);
        assertThat(latencies.percentileNs(50)).isEqualTo(3);
        assertThat(latencies.percentileNs(51)).isEqualTo(9);
    }
}
