package dev.spindle.daemon;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Event loops that end with what has opened them. */
final class EventLoops implements AutoCloseable {
    private static final int CLOSE_SECONDS = 10;

    /** Of events from one look; Netty's way to say so. */
    private static final int ANY_NUMBER = 0;

    private final EventLoopGroup group;
    private final String name;

    private EventLoops(EventLoopGroup group, String name) {
        this.group = group;
        this.name = name;
    }

    static EventLoops open(String name, int threads) {
        return new EventLoops(
                new MultiThreadIoEventLoopGroup(
                        threads,
                        new LoopThreads(name),
                        EpollIoHandler.newFactory(ANY_NUMBER, BriefSpin.factory())),
                name);
    }

    EventLoopGroup group() {
        return group;
    }

    /** One after the other, over and over. */
    EventLoop next() {
        return group.next();
    }

    @Override
    public void close() throws IOException {
        boolean isDone =
                group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                        .awaitUninterruptibly(2L * CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!isDone) {
            throw new IOException("event loops " + name + " do not end");
        }
    }

    /** Threads that first ask the kernel to wake them on time. */
    private static final class LoopThreads extends DefaultThreadFactory {
        LoopThreads(String name) {
            super(name, true);
        }

        @Override
        public Thread newThread(Runnable loop) {
            return super.newThread(() -> {
                TimerSlack.leastForThisThread();
                loop.run();
            });
        }
    }
}
