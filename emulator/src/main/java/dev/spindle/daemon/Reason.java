package dev.spindle.daemon;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;

/** The system's words for a failure, without the file's name before them. */
final class Reason {
    private Reason() {}

    static String of(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
