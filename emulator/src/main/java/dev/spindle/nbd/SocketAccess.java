package dev.spindle.nbd;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Who may connect to a unix socket: to connect is to write to its file (unix(7)).
 *
 * @param owner a name or a number; empty for who runs the daemon
 * @param group likewise
 */
public record SocketAccess(
        Set<PosixFilePermission> permissions, Optional<String> owner, Optional<String> group) {
    /** For the daemon's own user and group. */
    public static SocketAccess of(Set<PosixFilePermission> permissions) {
        return new SocketAccess(permissions, Optional.empty(), Optional.empty());
    }

    void apply(Path socket) throws IOException {
        PosixFileAttributeView file =
                Objects.requireNonNull(
                        Files.getFileAttributeView(
                                socket, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
        UserPrincipalLookupService people = socket.getFileSystem().getUserPrincipalLookupService();
        if (group.isPresent()) {
            give(
                    socket,
                    "group",
                    group.get(),
                    () -> {
                        GroupPrincipal principal = people.lookupPrincipalByGroupName(group.get());
                        file.setGroup(principal);
                    });
        }
        if (owner.isPresent()) {
            give(
                    socket,
                    "owner",
                    owner.get(),
                    () -> {
                        UserPrincipal principal = people.lookupPrincipalByName(owner.get());
                        file.setOwner(principal);
                    });
        }
        Files.setPosixFilePermissions(socket, permissions);
    }

    @FunctionalInterface
    private interface Change {
        void make() throws IOException;
    }

    private static void give(Path socket, String what, String name, Change change)
            throws IOException {
        String failed = "cannot listen on " + socket + ": " + what + ' ' + name;
        try {
            change.make();
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException(failed + " is not known here", e);
        } catch (FileSystemException e) {
            throw new IOException(failed + " cannot be set: " + e.getReason(), e);
        }
    }
}
