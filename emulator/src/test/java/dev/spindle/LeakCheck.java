package dev.spindle;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Makes Netty's leak reports failures. Netty finds a leaked buffer when it has been collected and
 * another is allocated, and then only logs it; so after each class of tests that works with buffers
 * garbage is collected, buffers are allocated, and what the log says fails the class. Found by
 * JUnit as a service, so that no class can forget it.
 */
public final class LeakCheck implements AfterAllCallback {
    private static final List<String> PACKAGES =
            List.of("dev.spindle.nbd", "dev.spindle.control", "dev.spindle.daemon");
    private static final long MOST_MS = 2_000;
    private static final ListAppender<ILoggingEvent> REPORTS = listen();

    private static ListAppender<ILoggingEvent> listen() {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        ((Logger) LoggerFactory.getLogger(ResourceLeakDetector.class)).addAppender(appender);
        return appender;
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        String name = context.getRequiredTestClass().getPackageName();
        if (PACKAGES.contains(name)) {
            failIfAnyLeaked();
        }
    }

    /** Twice: the second round's own object is enqueued after all of the first round. */
    static void failIfAnyLeaked() throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            collect();
            ByteBufAllocator.DEFAULT.directBuffer().release();
        }
        List<String> reports =
                List.copyOf(REPORTS.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
        REPORTS.list.clear();
        if (!reports.isEmpty()) {
            throw new AssertionError("leaked buffers:\n" + String.join("\n", reports));
        }
    }

    private static void collect() throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> witness = new WeakReference<>(new Object(), queue);
        System.gc();
        if (queue.remove(MOST_MS) == null) {
            throw new AssertionError("no garbage was collected: " + witness);
        }
    }
}
