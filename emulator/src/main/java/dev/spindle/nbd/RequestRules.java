package dev.spindle.nbd;

import dev.spindle.queue.BlockDevice;

/**
 * What a request must be for the device to see it: a flat list of checks, cheapest first. Behind it
 * the queue trusts what it is given (proto.md, Error values and Size constraints).
 */
final class RequestRules {
    private final Terms terms;
    private final long capacityBytes;
    private final int blockBytes;
    private final boolean isReadOnly;
    private final boolean zeroesFast;
    private final int maxRequestBytes;

    RequestRules(BlockDevice device, int maxRequestBytes, Terms terms) {
        this.terms = terms;
        capacityBytes = device.capacityBytes();
        blockBytes = device.limits().logicalBlockBytes();
        isReadOnly = device.isReadOnly();
        zeroesFast = device.zeroesFast();
        this.maxRequestBytes = maxRequestBytes;
    }

    /**
     * Why the request is refused, or NONE. Of a BLOCK_STATUS whose list of contexts is still to
     * come only what can be told by its header.
     */
    Refusal refusal(RequestHeader header) {
        NbdCommand command = header.command();
        if (command == null) {
            return Refusal.UNKNOWN_COMMAND;
        }
        if ((header.flags() & ~command.allowedFlags(terms)) != 0) {
            return Refusal.UNKNOWN_FLAG;
        }
        return switch (command) {
            case FLUSH ->
                    (header.offsetBytes() | header.lengthBytes()) == 0
                            ? Refusal.NONE
                            : Refusal.FLUSH_OF_RANGE;
            case READ ->
                    ofTransfer(
                            header, terms.sendsChunks() ? Refusal.READ_TOO_LONG : Refusal.TOO_LONG);
            case WRITE -> ofWrite(header);
            case WRITE_ZEROES -> ofZeroes(header);
            case BLOCK_STATUS -> ofStatus(header);
            case TRIM -> isReadOnly ? Refusal.READ_ONLY : ofRange(header, Refusal.PAST_THE_END);
            case CACHE -> ofRange(header, Refusal.PAST_THE_END);
            case DISC -> Refusal.NONE;
        };
    }

    private Refusal ofTransfer(RequestHeader header, Refusal tooLong) {
        return Long.compareUnsigned(header.lengthBytes(), maxRequestBytes) > 0
                ? tooLong
                : ofRange(header, Refusal.PAST_THE_END);
    }

    private Refusal ofWrite(RequestHeader header) {
        if (terms.isExtended() && !header.hasPayloadFlag()) {
            return Refusal.NO_PAYLOAD;
        }
        if (isReadOnly) {
            return Refusal.READ_ONLY;
        }
        return Long.compareUnsigned(header.lengthBytes(), maxRequestBytes) > 0
                ? Refusal.TOO_LONG
                : ofRange(header, Refusal.NO_SPACE);
    }

    private Refusal ofZeroes(RequestHeader header) {
        if (isReadOnly) {
            return Refusal.READ_ONLY;
        }
        Refusal range = ofRange(header, Refusal.NO_SPACE);
        boolean isSlow = !zeroesFast || (header.flags() & NbdCommand.FLAG_NO_HOLE) != 0;
        boolean wantsFast = (header.flags() & NbdCommand.FLAG_FAST_ZERO) != 0;
        return range == Refusal.NONE && wantsFast && isSlow ? Refusal.NOT_FAST : range;
    }

    private Refusal ofStatus(RequestHeader header) {
        if (!terms.hasAllocation()) {
            return Refusal.NO_CONTEXT;
        }
        if (header.hasPayloadFlag()) {
            if (!header.isFilterRead()) {
                // There is one context, so a list without repeats has one entry.
                return header.payloadBytes() == RequestHeader.FILTER_BYTES
                        ? Refusal.NONE
                        : Refusal.WRONG_CONTEXTS;
            }
            if (header.filterId() != MetaContexts.ALLOCATION_ID) {
                return Refusal.WRONG_CONTEXTS;
            }
        }
        return header.lengthBytes() == 0
                ? Refusal.STATUS_OF_NOTHING
                : ofRange(header, Refusal.PAST_THE_END);
    }

    private Refusal ofRange(RequestHeader header, Refusal pastTheEnd) {
        long offsetBytes = header.offsetBytes();
        long lengthBytes = header.lengthBytes();
        if (offsetBytes < 0
                || offsetBytes > capacityBytes
                || lengthBytes < 0
                || lengthBytes > capacityBytes - offsetBytes) {
            return pastTheEnd;
        }
        return ((offsetBytes | lengthBytes) & (blockBytes - 1)) == 0
                ? Refusal.NONE
                : Refusal.UNALIGNED;
    }

    /** The refusal with its limit, for people. */
    String explain(Refusal refusal, RequestHeader header) {
        String limit =
                switch (refusal) {
                    case PAST_THE_END, NO_SPACE -> " of " + capacityBytes + " bytes";
                    case TOO_LONG, READ_TOO_LONG -> " of " + maxRequestBytes + " bytes";
                    case UNALIGNED -> " of " + blockBytes + " bytes";
                    default -> "";
                };
        return header.text() + ": " + refusal.reason() + limit;
    }
}
