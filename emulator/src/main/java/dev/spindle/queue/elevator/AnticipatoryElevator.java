package dev.spindle.queue.elevator;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import dev.spindle.time.DeviceClock;
import org.jspecify.annotations.Nullable;

/**
 * One-way sweeps with deadlines, in batches of one direction that are bounded in time, and idling
 * after a read for the next one of the same submitter (Linux 2.6.11 as-iosched).
 *
 * <p>A read batch ends {@code read_batch} after its first read was served, a write batch after so
 * many writes as lately took {@code write_batch}; both only when the other direction waits. Before
 * the direction changes, what has been handed out must have ended.
 */
final class AnticipatoryElevator implements Elevator {
    private static final HeadChoice HEAD = new HeadChoice(1 << 20, 2);
    private static final long WRITE_GUESS_NS = 10_000_000;

    private final ElevatorSettings.Anticipatory settings;
    private final TwoDirections waiting = new TwoDirections();
    private final Anticipation anticipation;
    private final long[] lastFifoCheckNs = new long[2];
    private final long[] lastSectors = new long[2];

    private int batchDirection = Waiting.READ;
    private boolean isChanging;
    private boolean isNewBatch;
    private long batchEndsNs;
    private int dispatched;

    private int writesPerBatch;
    private int writesLeft;
    private boolean wasWriteBatchIdle;

    AnticipatoryElevator(ElevatorSettings.Anticipatory settings) {
        this.settings = settings;
        anticipation = new Anticipation(settings.anticNs());
        writesPerBatch = (int) Math.max(2, settings.writeBatchNs() / WRITE_GUESS_NS);
        writesLeft = writesPerBatch;
    }

    @Override
    public @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
        return waiting.merge(part, maxSectors);
    }

    @Override
    public @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
        DriveCommand gone = waiting.absorbNeighbour(joined, maxSectors);
        if (gone != null) {
            anticipation.absorbed(new Waiting(gone, 0));
        }
        return gone;
    }

    @Override
    public void add(DriveCommand command, long nowNs) {
        boolean isWrite = command.operation().isWrite();
        long expireNs = isWrite ? settings.writeExpireNs() : settings.readExpireNs();
        Waiting added = waiting.add(command, nowNs + expireNs);
        Waiting following = waiting.following(added.direction);
        waiting.follow(
                added.direction,
                following == null
                        ? added
                        : HEAD.of(following, added, lastSectors[added.direction]));
        anticipation.queued(added, nowNs);
    }

    @Override
    public @Nullable DriveCommand next(long nowNs) {
        boolean hasReads = waiting.has(Waiting.READ);
        boolean hasWrites = waiting.has(Waiting.WRITE);
        if (batchDirection == Waiting.WRITE && !hasReads && (writesLeft == 0 || !hasWrites)) {
            wasWriteBatchIdle = true;
        }
        if ((!hasReads && !hasWrites) || anticipation.isWaiting() || isChanging) {
            return null;
        }
        if (!(hasReads && hasWrites && isBatchOver(nowNs))) {
            Waiting following = waiting.following(batchDirection);
            if (batchDirection == Waiting.READ && settings.anticNs() > 0) {
                if (isFifoExpired(Waiting.READ, nowNs)) {
                    return dispatch(waiting.oldest(Waiting.READ), nowNs);
                }
                if (anticipation.begin(following, nowNs)) {
                    return null;
                }
            }
            if (following != null) {
                if (hasReads && !hasWrites) {
                    batchEndsNs = nowNs + settings.readBatchNs();
                }
                return dispatchOrExpired(following, nowNs);
            }
        }
        return beginBatch(hasReads, hasWrites, nowNs);
    }

    private @Nullable DriveCommand beginBatch(boolean hasReads, boolean hasWrites, long nowNs) {
        if (hasReads && !(hasWrites && batchDirection == Waiting.READ)) {
            isChanging = batchDirection == Waiting.WRITE;
            batchDirection = Waiting.READ;
            lastFifoCheckNs[Waiting.READ] = nowNs;
            return dispatchOrExpired(waiting.oldest(Waiting.READ), nowNs);
        }
        if (batchDirection == Waiting.READ) {
            isChanging = true;
            isNewBatch = false;
        }
        batchDirection = Waiting.WRITE;
        writesLeft = writesPerBatch;
        wasWriteBatchIdle = false;
        return dispatchOrExpired(waiting.following(Waiting.WRITE), nowNs);
    }

    private @Nullable DriveCommand dispatchOrExpired(@Nullable Waiting chosen, long nowNs) {
        return isFifoExpired(batchDirection, nowNs)
                ? dispatch(waiting.oldest(batchDirection), nowNs)
                : dispatch(chosen, nowNs);
    }

    private @Nullable DriveCommand dispatch(@Nullable Waiting chosen, long nowNs) {
        if (isChanging) {
            if (dispatched > 0) {
                return null;
            }
            if (batchDirection == Waiting.WRITE) {
                batchEndsNs = nowNs + settings.writeBatchNs();
            } else {
                isNewBatch = true;
            }
            isChanging = false;
        }
        Waiting found = chosen != null ? chosen : waiting.lowest(batchDirection);
        return found == null ? null : handOut(found);
    }

    private DriveCommand handOut(Waiting chosen) {
        anticipation.dispatched(chosen);
        lastSectors[chosen.direction] = chosen.command.endSector();
        if (chosen.direction == Waiting.WRITE && writesLeft > 0) {
            writesLeft--;
        }
        dispatched++;
        return waiting.take(chosen, HEAD::after);
    }

    @Override
    public @Nullable DriveCommand forceNext(long nowNs) {
        isChanging = false;
        isNewBatch = false;
        Waiting chosen = waiting.lowest(Waiting.READ);
        if (chosen == null) {
            chosen = waiting.lowest(Waiting.WRITE);
        }
        return chosen == null ? null : handOut(chosen);
    }

    @Override
    public void completed(DriveCommand command, long nowNs) {
        boolean isRead = !command.operation().isWrite();
        dispatched--;
        if (isChanging && dispatched == 0) {
            isChanging = false;
            if (batchDirection == Waiting.READ) {
                isNewBatch = true;
            } else {
                batchEndsNs = nowNs + settings.writeBatchNs();
            }
        }
        if (isRead && batchDirection == Waiting.READ && isNewBatch) {
            adaptWriteBatch(nowNs);
            batchEndsNs = nowNs + settings.readBatchNs();
            isNewBatch = false;
        }
        anticipation.completed(command.submitterId(), isRead, nowNs);
    }

    /** Towards as many writes as take write_batch. */
    private void adaptWriteBatch(long nowNs) {
        long tookNs = Math.max(0, nowNs - batchEndsNs + settings.writeBatchNs());
        if (tookNs > settings.writeBatchNs() && !wasWriteBatchIdle) {
            writesPerBatch =
                    tookNs > 3 * settings.writeBatchNs() ? writesPerBatch / 2 : writesPerBatch - 1;
        } else if (tookNs < settings.writeBatchNs() && writesLeft == 0) {
            writesPerBatch =
                    settings.writeBatchNs() > 3 * tookNs ? writesPerBatch * 2 : writesPerBatch + 1;
        }
        writesPerBatch = Math.clamp(writesPerBatch, 1, 1 << 16);
    }

    private boolean isBatchOver(long nowNs) {
        if (isChanging || isNewBatch) {
            return false;
        }
        boolean isTimeUp = nowNs - batchEndsNs > 0;
        return batchDirection == Waiting.READ ? isTimeUp : isTimeUp || writesLeft == 0;
    }

    private boolean isFifoExpired(int direction, long nowNs) {
        long everyNs =
                direction == Waiting.READ ? settings.readExpireNs() : settings.writeExpireNs();
        if (nowNs - lastFifoCheckNs[direction] < everyNs) {
            return false;
        }
        lastFifoCheckNs[direction] = nowNs;
        Waiting oldest = waiting.oldest(direction);
        return oldest != null && nowNs - oldest.deadlineNs > 0;
    }

    @Override
    public long nextDeadlineNs() {
        return waiting.size() == 0 ? DeviceClock.NEVER : anticipation.nextDeadlineNs();
    }

    @Override
    public void expire(long nowNs) {
        anticipation.expire();
    }

    @Override
    public boolean exempts(int submitterId, boolean isWrite, int nrRequests) {
        return anticipation.awaits(submitterId);
    }

    @Override
    public int size() {
        return waiting.size();
    }
}
