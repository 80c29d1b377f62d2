package dev.spindle.drive;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.media.BackingStore;
import dev.spindle.media.SectorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Moves the data of a command between its parts and the store, when the drive begins it. With a
 * store in memory that is done at once, on the device's loop. With one that may block it is done on
 * the store thread, in the order the commands were begun, and the loop is told.
 */
public final class DataMover {
    private final BackingStore store;
    private final @Nullable Executor storeThread;
    private final Executor loop;
    private final Runnable onMoved;

    private DataMover(
            BackingStore store, @Nullable Executor storeThread, Executor loop, Runnable onMoved) {
        this.store = store;
        this.storeThread = storeThread;
        this.loop = loop;
        this.onMoved = onMoved;
    }

    /** For a store that does not block, or where blocking does not matter. */
    public static DataMover inline(BackingStore store) {
        return new DataMover(store, null, Runnable::run, () -> {});
    }

    /**
     * {@code onMoved} runs on the loop after each command whose data has been moved by the store
     * thread.
     */
    public static DataMover onThread(
            BackingStore store, Executor storeThread, Executor loop, Runnable onMoved) {
        return new DataMover(store, storeThread, loop, onMoved);
    }

    public void begin(DriveCommand command) {
        if (storeThread == null) {
            command.dataMoved(move(command));
            return;
        }
        storeThread.execute(() -> moveAndTell(command));
    }

    /** Forgets all data; after what was begun before. */
    public void erase(long bytes) {
        if (storeThread == null) {
            discard(bytes);
        } else {
            storeThread.execute(() -> discard(bytes));
        }
    }

    private void discard(long bytes) {
        try {
            store.discard(0, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void moveAndTell(DriveCommand command) {
        BlockStatus status = move(command);
        loop.execute(() -> {
            command.dataMoved(status);
            onMoved.run();
        });
    }

    private BlockStatus move(DriveCommand command) {
        BlockStatus first = BlockStatus.OK;
        for (RequestPart part = command.firstPart(); part != null; part = part.next) {
            tryPart(part);
            first = first == BlockStatus.OK ? part.status() : first;
        }
        return command.isFua() ? forceOut(command, first) : first;
    }

    private BlockStatus forceOut(DriveCommand command, BlockStatus moved) {
        try {
            store.flush();
            return moved;
        } catch (IOException e) {
            command.refuse(statusOf(e));
            return statusOf(e);
        }
    }

    private void tryPart(RequestPart part) {
        try {
            movePart(part);
        } catch (SectorException e) {
            part.ended(statusOf(e), e.offsetBytes());
        } catch (IOException e) {
            part.ended(statusOf(e), BlockRequest.UNKNOWN_OFFSET);
        } catch (InternalError e) {
            // SIGBUS: the front end's buffer is shared memory that its process has cut short.
            part.ended(BlockStatus.IO_ERROR, BlockRequest.UNKNOWN_OFFSET);
        }
    }

    private static BlockStatus statusOf(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("No space left") ? BlockStatus.NO_SPACE : BlockStatus.IO_ERROR;
    }

    private void movePart(RequestPart part) throws IOException {
        BlockRequest request = part.request();
        ByteBuffer data = request.data();
        switch (request.operation()) {
            case READ -> {
                if (data != null) {
                    store.read(
                            part.offsetBytes(), data, part.dataIndex(), (int) part.lengthBytes());
                }
            }
            case WRITE -> {
                assert data != null : "WRITE without data";
                store.write(part.offsetBytes(), data, part.dataIndex(), (int) part.lengthBytes());
            }
            case FLUSH -> store.flush();
            case COMMAND -> {}
            case DISCARD -> store.discard(part.offsetBytes(), part.lengthBytes());
            case WRITE_ZEROES -> zero(part, request.mayDeallocate());
        }
    }

    private void zero(RequestPart part, boolean mayDeallocate) throws IOException {
        if (mayDeallocate) {
            store.discard(part.offsetBytes(), part.lengthBytes());
        } else {
            store.zero(part.offsetBytes(), part.lengthBytes());
        }
    }
}
