package dev.spindle.testbench.host;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Where a file system has put files on a disc, in frames of 2 KiB. Sizes are lognormal and add up
 * to a total; every file is contiguous but for its own metadata.
 *
 * @param files each one's data, in pieces
 * @param metadata what is written after all data, in that order
 * @param pieceFrames the longest bio the file system makes
 */
public record FileTree(List<List<Extent>> files, List<Extent> metadata, int pieceFrames) {
    private static final double SIGMA = 0.35;
    private static final int LEAST_FRAMES = 8;
    private static final int LONG_BIO_FRAMES = 16;

    /** A run of frames. */
    public record Extent(long firstFrame, int frames) {}

    /** No file system: one file behind the other from the start, bios of up to 32 KiB. */
    public static FileTree raw(int fileCount, int totalFrames, long seed) {
        List<List<Extent>> files = new ArrayList<>();
        long frame = 0;
        for (int size : sizes(fileCount, totalFrames, seed)) {
            files.add(List.of(new Extent(frame, size)));
            frame += size;
        }
        return new FileTree(files, List.of(), LONG_BIO_FRAMES);
    }

    /** UDF: one frame with the file's entry before each file; a bio for each frame. */
    public static FileTree udf(int fileCount, int totalFrames, long seed) {
        List<List<Extent>> files = new ArrayList<>();
        List<Extent> metadata = new ArrayList<>();
        long frame = 1000;
        metadata.add(new Extent(frame - 8, 1));
        for (int size : sizes(fileCount, totalFrames, seed)) {
            metadata.add(new Extent(frame, 1));
            files.add(List.of(new Extent(frame + 1, size)));
            frame += 1L + size;
        }
        return new FileTree(files, metadata, 1);
    }

    /**
     * ext2 with blocks of 4 KiB: twelve mapped by the inode, then 1024 by each indirect block,
     * which lies before them; bios of up to 32 KiB.
     */
    public static FileTree ext2(int fileCount, int totalFrames, long seed) {
        List<List<Extent>> files = new ArrayList<>();
        List<Extent> indirect = new ArrayList<>();
        long frame = 2000;
        for (int size : sizes(fileCount, totalFrames, seed)) {
            List<Extent> extents = new ArrayList<>();
            int left = size + size % 2;
            int mapped = Math.min(left, 24);
            for (int level = 0; left > 0; level++) {
                extents.add(new Extent(frame, mapped));
                frame += mapped;
                left -= mapped;
                if (left > 0) {
                    int blocks = level == 1 ? 4 : 2;
                    indirect.add(new Extent(frame, blocks));
                    frame += blocks;
                }
                mapped = Math.min(left, 2048);
            }
            files.add(extents);
        }
        List<Extent> metadata = new ArrayList<>();
        for (int i = 0; i < fileCount; i += 32) {
            metadata.add(new Extent(500 + 2L * (i / 32), 2));
        }
        metadata.add(new Extent(100, 2));
        metadata.add(new Extent(102, 2));
        metadata.addAll(indirect);
        return new FileTree(files, metadata, LONG_BIO_FRAMES);
    }

    private static int[] sizes(int count, int totalFrames, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] weights = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            weights[i] = Math.exp(SIGMA * random.nextGaussian());
            sum += weights[i];
        }
        int[] sizes = new int[count];
        int left = totalFrames;
        for (int i = 0; i < count; i++) {
            sizes[i] = Math.max(LEAST_FRAMES, (int) (totalFrames * weights[i] / sum));
            left -= sizes[i];
        }
        sizes[count - 1] += left;
        return sizes;
    }
}
