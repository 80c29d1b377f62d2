package dev.spindle.nbd;

/** What all connections of one server share. */
record ServerScope(
        Exports exports,
        NbdLimits limits,
        NbdCounters counters,
        Connections connections,
        SharedMemory memory) {}
