package dev.spindle.disksim;

import java.util.Arrays;

/** Service times of drive and model, in ns; grows as a trace is replayed. */
public final class ServiceTimes {
    /** The distributions are compared at so many places. */
    private static final int PLACES = 10_000;

    private double[] drive = new double[1024];
    private double[] model = new double[1024];
    private int count;

    void add(long driveNs, long modelNs) {
        if (count == drive.length) {
            drive = Arrays.copyOf(drive, count * 2);
            model = Arrays.copyOf(model, count * 2);
        }
        drive[count] = (double) driveNs;
        model[count] = (double) modelNs;
        count++;
    }

    public int count() {
        return count;
    }

    public double meanDriveMs() {
        return mean(drive);
    }

    public double meanModelMs() {
        return mean(model);
    }

    private double mean(double[] timesNs) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += timesNs[i];
        }
        return count == 0 ? 0 : sum / count / 1e6;
    }

    /** Root mean square of the horizontal distance between the two distributions. */
    public double rmsMs() {
        double[] driveMs = quantilesMs(drive, PLACES);
        double[] modelMs = quantilesMs(model, PLACES);
        double sum = 0;
        for (int i = 0; i < PLACES; i++) {
            double distance = driveMs[i] - modelMs[i];
            sum += distance * distance;
        }
        return Math.sqrt(sum / PLACES);
    }

    /** The rms as a share of the drive's mean. */
    public double demerit() {
        return count == 0 ? 0 : rmsMs() / meanDriveMs();
    }

    double[] driveQuantilesMs(int places) {
        return quantilesMs(drive, places);
    }

    double[] modelQuantilesMs(int places) {
        return quantilesMs(model, places);
    }

    private double[] quantilesMs(double[] timesNs, int places) {
        double[] quantiles = new double[places];
        if (count == 0) {
            return quantiles;
        }
        double[] sorted = Arrays.copyOf(timesNs, count);
        Arrays.sort(sorted);
        for (int i = 0; i < places; i++) {
            quantiles[i] = sorted[(int) ((i + 0.5) / places * count)] / 1e6;
        }
        return quantiles;
    }
}
