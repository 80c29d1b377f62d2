package dev.spindle.nbd;

import dev.spindle.queue.BlockDevice;

/**
 * What a request must be for the device to see it: a flat list of checks, cheapest first. Behind it
 * the queue trusts what it is given (proto.md, Error values and Size constraints).
 */
final class RequestRules {
    private final long capacityBytes;
    private final int blockMask;
    private final boolean isReadOnly;
    private final int maxRequestBytes;

    RequestRules(BlockDevice device, int maxRequestBytes) {
        capacityBytes = device.capacityBytes();
        blockMask = device.limits().logicalBlockBytes() - 1;
        isReadOnly = device.isReadOnly();
        this.maxRequestBytes = maxRequestBytes;
    }

    /** Why the request is refused, or NONE. */
    NbdError refusal(RequestHeader header) {
        NbdCommand command = header.command();
        if (command == null || !command.allowsFlags(header.flags())) {
            return NbdError.EINVAL;
        }
        long offsetBytes = header.offsetBytes();
        long lengthBytes = header.lengthBytes();
        if (command == NbdCommand.FLUSH) {
            return (offsetBytes | lengthBytes) == 0 ? NbdError.NONE : NbdError.EINVAL;
        }
        if (isReadOnly && command.changesData()) {
            return NbdError.EPERM;
        }
        boolean hasPayload = command == NbdCommand.READ || command == NbdCommand.WRITE;
        if (hasPayload && lengthBytes > maxRequestBytes) {
            return NbdError.EINVAL;
        }
        if (offsetBytes < 0
                || offsetBytes > capacityBytes
                || lengthBytes > capacityBytes - offsetBytes) {
            return pastTheEnd(command);
        }
        return ((offsetBytes | lengthBytes) & blockMask) == 0 ? NbdError.NONE : NbdError.EINVAL;
    }

    /** ENOSPC where data was to be put, EINVAL for READ and TRIM. */
    private static NbdError pastTheEnd(NbdCommand command) {
        return command == NbdCommand.WRITE || command == NbdCommand.WRITE_ZEROES
                ? NbdError.ENOSPC
                : NbdError.EINVAL;
    }
}
