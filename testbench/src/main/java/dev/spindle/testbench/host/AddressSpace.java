package dev.spindle.testbench.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Files one behind the other as a program sees them, and where that is on the device. */
public final class AddressSpace {
    private static final int FRAME_BYTES = 2048;

    /** A run of bytes of the device. */
    public record Span(long offsetBytes, int lengthBytes) {}

    /** Where each extent begins as the program sees it, and the end of the last. */
    private final long[] logical;

    private final long[] physical;

    private AddressSpace(long[] logical, long[] physical) {
        this.logical = logical;
        this.physical = physical;
    }

    /** The device itself, from its start. */
    public static AddressSpace raw(long bytes) {
        return new AddressSpace(new long[] {0, bytes}, new long[] {0});
    }

    /** The data of all files of a tree. */
    public static AddressSpace of(FileTree tree) {
        List<FileTree.Extent> extents = tree.files().stream().flatMap(List::stream).toList();
        long[] logical = new long[extents.size() + 1];
        long[] physical = new long[extents.size()];
        for (int i = 0; i < physical.length; i++) {
            physical[i] = extents.get(i).firstFrame() * FRAME_BYTES;
            logical[i + 1] = logical[i] + (long) extents.get(i).frames() * FRAME_BYTES;
        }
        return new AddressSpace(logical, physical);
    }

    public long bytes() {
        return logical[physical.length];
    }

    /** The end of what the device needs to have. */
    public long endBytes() {
        int last = physical.length - 1;
        return physical[last] + logical[last + 1] - logical[last];
    }

    /** What the kernel makes of a request: a bio for each piece, none longer than that. */
    public List<Span> bios(long fromBytes, long lengthBytes, long bioBytes) {
        List<Span> bios = new ArrayList<>();
        long at = fromBytes;
        long end = fromBytes + lengthBytes;
        int extent = Arrays.binarySearch(logical, at);
        extent = extent < 0 ? -extent - 2 : extent;
        while (at < end) {
            long most = Math.min(end, logical[extent + 1]) - at;
            int length = (int) Math.min(most, bioBytes);
            bios.add(new Span(physical[extent] + at - logical[extent], length));
            at += length;
            extent += at == logical[extent + 1] ? 1 : 0;
        }
        return bios;
    }
}
