/** Pages for people: plots as SVG, and the HTML around them, without scripts. */
@NullMarked
package dev.spindle.plot;

import org.jspecify.annotations.NullMarked;
