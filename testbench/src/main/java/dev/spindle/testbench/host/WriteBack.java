package dev.spindle.testbench.host;

import dev.spindle.testbench.host.FileTree.Extent;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * In which order dirty files reach their device: inode after inode, at most so much of each in a
 * pass, those with more left again in the next; then all metadata (sync of Linux 2.6: the data of
 * all inodes first, then the block device's own pages). A file system may have to read of its own
 * between inodes.
 */
final class WriteBack implements Iterator<WriteBack.Step> {
    /** MAX_WRITEBACK_PAGES: 1024 pages of an inode in a pass. */
    static final int PASS_FRAMES = 2048;

    private static final int LAYOUT_SALT = 77;

    /** One bio. */
    record Step(boolean isRead, long frame, int frames) {}

    private final FileTree tree;
    private final int passFrames;
    private final int packetFrames;
    private final double readsPerPass;
    private final SplittableRandom random;
    private final Position[] positions;
    private final ArrayDeque<Integer> inodes = new ArrayDeque<>();
    private final ArrayDeque<Integer> again = new ArrayDeque<>();
    private final Iterator<Extent> metadata;
    private final ArrayDeque<Step> reads = new ArrayDeque<>();
    private int current = -1;
    private int leftOfPass;
    private double readsDue;
    private @Nullable Step next;

    /**
     * Of a tree of files.
     *
     * @param readsPerPass reads that the file system makes for each inode and pass
     */
    WriteBack(FileTree tree, int passFrames, int packetFrames, double readsPerPass, long seed) {
        this.tree = tree;
        this.passFrames = passFrames;
        this.packetFrames = packetFrames;
        this.readsPerPass = readsPerPass;
        random = new SplittableRandom(seed + LAYOUT_SALT);
        positions = new Position[tree.files().size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = new Position(tree.files().get(i));
            inodes.add(i);
        }
        metadata = tree.metadata().iterator();
        next = find();
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public Step next() {
        Step found = next;
        if (found == null) {
            throw new NoSuchElementException();
        }
        next = find();
        return found;
    }

    private @Nullable Step find() {
        while (true) {
            Step read = reads.pollFirst();
            if (read != null) {
                return read;
            }
            if (current < 0 && !begin()) {
                return metadataStep();
            }
            Position position = positions[current];
            if (leftOfPass > 0 && !position.isAtEnd()) {
                Step step = position.take(Math.min(leftOfPass, tree.pieceFrames()), packetFrames);
                leftOfPass -= step.frames;
                return step;
            }
            endPass(position);
        }
    }

    private boolean begin() {
        if (inodes.isEmpty()) {
            inodes.addAll(again);
            again.clear();
        }
        Integer inode = inodes.pollFirst();
        if (inode == null) {
            return false;
        }
        current = inode;
        leftOfPass = passFrames;
        return true;
    }

    private void endPass(Position position) {
        if (!position.isAtEnd()) {
            again.add(current);
        }
        current = -1;
        for (readsDue += readsPerPass; readsDue >= 1; readsDue--) {
            reads.add(new Step(true, 300 + 2L * random.nextInt(600), 2));
        }
    }

    private @Nullable Step metadataStep() {
        if (!metadata.hasNext()) {
            return null;
        }
        Extent extent = metadata.next();
        return new Step(false, extent.firstFrame(), extent.frames());
    }

    /** How far a file has been written. */
    private static final class Position {
        private final List<Extent> extents;
        private int extent;
        private int done;

        Position(List<Extent> extents) {
            this.extents = extents;
        }

        boolean isAtEnd() {
            return extent == extents.size();
        }

        /** The next bio: it ends with its extent and does not cross a packet. */
        Step take(int mostFrames, int packetFrames) {
            Extent of = extents.get(extent);
            long frame = of.firstFrame() + done;
            int toPacketEnd = packetFrames - (int) (frame % packetFrames);
            int frames = Math.min(mostFrames, Math.min(of.frames() - done, toPacketEnd));
            done += frames;
            if (done == of.frames()) {
                extent++;
                done = 0;
            }
            return new Step(false, frame, frames);
        }
    }
}
