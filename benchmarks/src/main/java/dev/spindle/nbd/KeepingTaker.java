package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultEventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes every request, of a store of 32 that are used again in turn, and has done with it. */
final class KeepingTaker implements RequestDecoder.Taker {
    final List<NbdRequest> requests = new ArrayList<>();
    @Nullable RequestDecoder decoder;
    int taken;

    KeepingTaker() {
        NbdLimits limits = NbdLimits.DEFAULTS;
        Export export = new Export("instant", "", new InstantDevice(null), new DefaultEventLoop());
        ServerScope scope =
                new ServerScope(
                        Exports.of(List.of(export)),
                        limits,
                        new NbdCounters(),
                        new Connections(),
                        new SharedMemory(limits.memoryBytes()));
        NbdSession owner = new NbdSession(scope, export, Terms.PLAIN, new ReceiveBuffers(), false);
        for (int i = 0; i < ClientBytes.BATCH; i++) {
            requests.add(new NbdRequest(owner));
        }
    }

    @Override
    public boolean hasCredit() {
        return true;
    }

    @Override
    public boolean hasRoomFor(NbdCommand command, long bytes) {
        return true;
    }

    @Override
    public Refusal refusal(RequestHeader header) {
        return Refusal.NONE;
    }

    @Override
    public NbdRequest newRequest(NbdCommand command, RequestHeader header) {
        NbdRequest request = requests.get(taken);
        request.prepare(command, header);
        return request;
    }

    @Override
    public void take(NbdRequest request) {
        taken++;
        ByteBuf buffer = request.takeBuffer();
        if (buffer != null) {
            Objects.requireNonNull(decoder).letGo(buffer);
        }
    }

    @Override
    public void answer(RequestHeader header, Refusal refusal) {
        throw new IllegalStateException("refused: " + refusal);
    }

    @Override
    public void breach(String what) {
        throw new IllegalStateException(what);
    }
}
