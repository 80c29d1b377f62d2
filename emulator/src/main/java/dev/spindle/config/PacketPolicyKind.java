package dev.spindle.config;

/** What a long write queue leads to. */
public enum PacketPolicyKind {
    NONE,
    FLAG,
    BLOCK
}
