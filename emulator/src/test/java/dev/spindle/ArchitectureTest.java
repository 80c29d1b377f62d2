package dev.spindle;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The package table of ARCHITECTURE.md, line by line: who may use whom, and where third-party types
 * stop.
 */
@AnalyzeClasses(packages = "dev.spindle", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] ALWAYS = {"java..", "javax..", "org.jspecify.annotations.."};

    private static ArchRule onlyUses(String name, String... others) {
        String[] allowed = new String[ALWAYS.length + others.length + 1];
        System.arraycopy(ALWAYS, 0, allowed, 0, ALWAYS.length);
        System.arraycopy(others, 0, allowed, ALWAYS.length, others.length);
        allowed[allowed.length - 1] = "dev.spindle." + name + "..";
        return classes()
                .that()
                .resideInAPackage("dev.spindle." + name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .allowEmptyShould(true);
    }

    private static String own(String name) {
        return "dev.spindle." + name + "..";
    }

    @ArchTest static final ArchRule block = onlyUses("block");
    @ArchTest static final ArchRule time = onlyUses("time", "org.agrona..");

    @ArchTest
    static final ArchRule metrics = onlyUses("metrics", "org.agrona..", "org.HdrHistogram..");

    @ArchTest static final ArchRule config = onlyUses("config", "com.typesafe.config..");
    @ArchTest static final ArchRule media = onlyUses("media", own("block"));

    @ArchTest
    static final ArchRule drive =
            onlyUses("drive", own("media"), own("block"), own("time"), own("metrics"));

    @ArchTest
    static final ArchRule disksim =
            onlyUses("disksim", own("drive"), own("block"), own("time"), own("media"));

    @ArchTest
    static final ArchRule queue =
            onlyUses(
                    "queue",
                    own("drive"),
                    own("block"),
                    own("time"),
                    own("metrics"),
                    "com.lmax.disruptor..");

    @ArchTest
    static final ArchRule packet =
            onlyUses("packet", own("queue"), own("block"), own("time"), own("metrics"));

    @ArchTest
    static final ArchRule trace =
            onlyUses("trace", own("queue"), own("drive"), own("block"), "org.agrona..");

    @ArchTest
    static final ArchRule replay =
            onlyUses("replay", own("trace"), own("queue"), own("block"), own("time"));

    @ArchTest
    static final ArchRule nbd =
            onlyUses(
                    "nbd",
                    own("queue"),
                    own("block"),
                    own("time"),
                    own("metrics"),
                    "io.netty..",
                    "org.slf4j..");

    @ArchTest
    static final ArchRule shm =
            onlyUses(
                    "shm",
                    own("queue"),
                    own("block"),
                    own("time"),
                    own("metrics"),
                    "org.agrona..",
                    "io.netty..",
                    "org.slf4j..");

    @ArchTest static final ArchRule plot = onlyUses("plot");

    @ArchTest static final ArchRule report = onlyUses("report", own("plot"), "org.agrona..");

    @ArchTest
    static final ArchRule control =
            onlyUses(
                    "control",
                    own("trace"),
                    own("packet"),
                    own("queue"),
                    own("drive"),
                    own("block"),
                    own("time"),
                    own("metrics"),
                    own("config"),
                    "com.typesafe.config..",
                    "io.netty..",
                    "org.slf4j..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.spindle.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheClockReadsTime =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(own("time"))
                    .should()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(Thread.class, "sleep", long.class);

    @ArchTest
    static final ArchRule picocliStaysInTheCli =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(own("cli"))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("picocli..");
}
