package dev.spindle.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The records of one processor's file, in the byte order of whoever wrote it. */
final class RecordFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 17;
    private static final int MAX_PDU_BYTES = 0xffff;

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long atByte;
    private long records;
    private @Nullable TraceEvent head;
    private @Nullable String truncation;

    private RecordFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
        buffer.flip();
    }

    static RecordFile open(Path path) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw new IOException("cannot read " + path + ": " + TraceFile.reason(e), e);
        }
        RecordFile file = new RecordFile(path, channel);
        try {
            file.advance();
            return file;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** True where a file begins as such a file does, in either byte order. */
    static boolean isOne(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer start = ByteBuffer.allocate(Integer.BYTES);
            int read = channel.read(start);
            return read == Integer.BYTES && (isMagic(start.getInt(0)) || isSwapped(start));
        } catch (IOException e) {
            throw new IOException("cannot read " + path + ": " + TraceFile.reason(e), e);
        }
    }

    private static boolean isSwapped(ByteBuffer start) {
        return isMagic(Integer.reverseBytes(start.getInt(0)));
    }

    private static boolean isMagic(int word) {
        return (word & RecordLayout.MAGIC_WITHOUT_VERSION)
                == (RecordLayout.MAGIC & RecordLayout.MAGIC_WITHOUT_VERSION);
    }

    /** The next event, not yet taken; null at the end. */
    @Nullable TraceEvent head() {
        return head;
    }

    TraceEvent take() throws IOException {
        TraceEvent taken = head;
        assert taken != null;
        advance();
        return taken;
    }

    /** Where the file ends in the middle of a record. */
    Optional<String> truncation() {
        return Optional.ofNullable(truncation);
    }

    private void advance() throws IOException {
        head = null;
        if (!fill(RecordLayout.BYTES)) {
            return;
        }
        orient();
        int start = buffer.position();
        int pduBytes = Short.toUnsignedInt(buffer.getShort(start + RecordLayout.PDU_LENGTH));
        if (!fill(RecordLayout.BYTES + pduBytes)) {
            return;
        }
        head = TraceEvent.decode(buffer, buffer.position(), pduBytes);
        buffer.position(buffer.position() + RecordLayout.BYTES + pduBytes);
        atByte += RecordLayout.BYTES + pduBytes;
        records++;
    }

    /** False at the end of the file. */
    private boolean fill(int bytes) throws IOException {
        assert bytes <= RecordLayout.BYTES + MAX_PDU_BYTES;
        if (buffer.remaining() >= bytes) {
            return true;
        }
        buffer.compact();
        int read = 0;
        try {
            while (read >= 0 && buffer.position() < bytes) {
                read = channel.read(buffer);
            }
        } catch (IOException e) {
            throw new IOException("cannot read " + path + ": " + TraceFile.reason(e), e);
        }
        buffer.flip();
        if (buffer.remaining() < bytes) {
            if (buffer.hasRemaining()) {
                truncation =
                        "%s: ends within a record: at byte %d there are %d bytes of %d"
                                .formatted(path, atByte, buffer.remaining(), bytes);
            }
            return false;
        }
        return true;
    }

    /** By the magic number; the first record decides for the file. */
    private void orient() throws IOException {
        int start = buffer.position();
        int word = buffer.getInt(start);
        if (records == 0 && !isMagic(word) && isMagic(Integer.reverseBytes(word))) {
            buffer.order(ByteOrder.LITTLE_ENDIAN);
            word = buffer.getInt(start);
        }
        String where = path + ": record " + (records + 1) + " at byte " + atByte + ": ";
        if (!isMagic(word)) {
            throw new IOException(
                    where + "begins with 0x%08x, which is no blktrace record".formatted(word));
        }
        int version = word & ~RecordLayout.MAGIC_WITHOUT_VERSION;
        if (version != RecordLayout.VERSION) {
            throw new IOException(
                    where
                            + "version "
                            + version
                            + " of the format; only "
                            + RecordLayout.VERSION
                            + " is read");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
