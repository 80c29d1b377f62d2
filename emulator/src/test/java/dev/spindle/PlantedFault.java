package dev.spindle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A mechanism, what must hold of it, and a machine that has it wrong. The oracle has to pass on the
 * right machine and to fail on the faulty one: so it is known to see something.
 *
 * @param mechanism and what is wrong with it
 * @param right a new machine each time
 * @param faulty the same with the fault
 */
public record PlantedFault<M>(
        String mechanism, Supplier<M> right, Supplier<M> faulty, Consumer<M> oracle) {
    public void verify() {
        oracle.accept(right.get());
        assertThatThrownBy(() -> oracle.accept(faulty.get()))
                .as("nothing notices: %s", mechanism)
                .isInstanceOf(AssertionError.class);
    }

    @Override
    public String toString() {
        return mechanism;
    }
}
