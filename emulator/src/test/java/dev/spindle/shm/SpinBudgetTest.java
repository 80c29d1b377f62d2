package dev.spindle.shm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinBudgetTest {
    private final SpinBudget budget = new SpinBudget();

    @Test
    void looksLongerOnlyAfterAWake() {
        assertThat(budget.budgetNs()).isEqualTo(SpinBudget.SPIN_NS);
        budget.woken();
        assertThat(budget.budgetNs()).isEqualTo(SpinBudget.AFTER_WAKE_NS);
        budget.worked();
        assertThat(budget.budgetNs()).isEqualTo(SpinBudget.SPIN_NS);
    }

    @Test
    void triesItMoreAndMoreRarelyWhereItIsInVain() {
        int tries = 0;
        for (int i = 0; i < 10_000; i++) {
            budget.woken();
            if (budget.budgetNs() == SpinBudget.AFTER_WAKE_NS) {
                tries++;
            }
            budget.gaveUp();
        }
        assertThat(tries).isBetween(10_000 / SpinBudget.RAREST, 10_000 / SpinBudget.RAREST + 8);
    }

    @Test
    void onceIsEnoughToGoBackToEveryTime() {
        for (int i = 0; i < 1000; i++) {
            budget.woken();
            budget.gaveUp();
        }
        while (budget.budgetNs() != SpinBudget.AFTER_WAKE_NS) {
            budget.woken();
        }
        budget.worked();
        budget.woken();
        assertThat(budget.budgetNs()).isEqualTo(SpinBudget.AFTER_WAKE_NS);
    }
}
