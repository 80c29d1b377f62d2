package dev.spindle.drive.optical.mmc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every opcode with allocation lengths cut short and random bytes, on every disc in every state: an
 * answer, never an exception; no longer than was asked for; a sense that is in the table.
 */
class MalformedCommandsTest {
    private static final int ROUNDS = 12;
    private static final int[] ALLOCATIONS = {0, 1, 2, 3, 4, 7, 8, 12, 35, 255, 0xffff};

    private final long seed = Long.getLong("spindle.seed", 6);

    @Test
    void anyBytesAreAnsweredInOrder() {
        Random random = new Random(seed);
        String replay =
                "seed "
                        + seed
                        + ": mvn -pl emulator test -Dtest=MalformedCommandsTest"
                        + " -Dspindle.seed="
                        + seed;
        Set<String> known = known();
        for (MediumKind medium : MediumKind.values()) {
            for (MediumState state : MediumState.values()) {
                MmcFixture fixture = new MmcFixture(medium, state);
                for (int opcode = 0; opcode < 256; opcode++) {
                    for (int round = 0; round < ROUNDS; round++) {
                        ask(fixture, command(opcode, random), random, known, replay);
                    }
                }
            }
        }
    }

    private static Set<String> known() {
        return Arrays.stream(Sense.class.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .filter(field -> field.getType() == Sense.class)
                .map(MalformedCommandsTest::value)
                .map(MalformedCommandsTest::text)
                .collect(Collectors.toSet());
    }

    private static Sense value(java.lang.reflect.Field field) {
        try {
            return (Sense) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Sense sense) {
        return sense.key() + "/" + sense.code() + "/" + sense.qualifier();
    }

    /** Half of them with bytes as they may come, half with few of them set. */
    private static byte[] command(int opcode, Random random) {
        byte[] cdb = new byte[1 + random.nextInt(Cdb.MAX_BYTES)];
        random.nextBytes(cdb);
        for (int i = 1; i < cdb.length; i++) {
            cdb[i] &= random.nextBoolean() ? (byte) random.nextInt(4) : (byte) 0xff;
        }
        int allocation = ALLOCATIONS[random.nextInt(ALLOCATIONS.length)];
        if (cdb.length > 9 && random.nextBoolean()) {
            cdb[7] = (byte) (allocation >> 8);
            cdb[8] = (byte) allocation;
            cdb[9] = (byte) random.nextInt(2);
        }
        cdb[0] = (byte) opcode;
        return cdb;
    }

    private static void ask(
            MmcFixture fixture, byte[] bytes, Random random, Set<String> known, String replay) {
        Cdb cdb = Cdb.of(bytes);
        byte[] out = new byte[random.nextInt(3) == 0 ? random.nextInt(80) : 0];
        random.nextBytes(out);
        HostData host = new HostData(out, random.nextInt(5) * random.nextInt(1000));
        String what = replay + ", cdb " + Arrays.toString(bytes) + " " + fixture.burner.profile();
        Optional<MmcTransfer> transfer = fixture.drive.plan(cdb, host);
        transfer.ifPresent(it -> {
            assertThat(it.endBlock()).as(what).isLessThanOrEqualTo(MmcFixture.BLOCKS);
            assertThat(it.lengthBytes()).as(what).isLessThanOrEqualTo(1 << 16);
        });
        MmcDrive.Outcome outcome = fixture.drive.carryOut(cdb, host, fixture.nowNs);
        assertThat(outcome.endNs()).as(what).isGreaterThanOrEqualTo(fixture.nowNs);
        switch (outcome.reply()) {
            case MmcReply.Good(byte[] data) -> {
                int allowed = MmcCommand.of(cdb.opcode()).orElseThrow().allocationBytes(cdb);
                assertThat(data.length)
                        .as(what)
                        .isLessThanOrEqualTo(Math.min(allowed, host.inBytes()));
            }
            case MmcReply.Check(Sense sense) -> {
                assertThat(known).as(what).contains(text(sense));
                assertThat(sense.bytes()).as(what).hasSize(18);
                boolean isKnown = MmcCommand.of(cdb.opcode()).isPresent();
                assertThat(sense.equals(Sense.INVALID_OPCODE)).as(what).isEqualTo(!isKnown);
            }
        }
        if (fixture.burner.discOperation() != null) {
            fixture.finish();
        }
    }
}
