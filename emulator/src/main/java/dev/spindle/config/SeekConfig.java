package dev.spindle.config;

/** How long the heads take over a distance. */
public sealed interface SeekConfig permits SeekCurveConfig, SeekTableConfig {}
