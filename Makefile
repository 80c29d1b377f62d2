# Spindle. `make help` lists the targets.

.DEFAULT_GOAL := all
SHELL := /bin/sh

JAR := emulator/target/spindle.jar
EXPERIMENTS := testbench/target/spindle-testbench.jar
CACHE := emulator/target/spindle.aot
SHIM := shim-native/build/libspindle-shim.so
TESTAIO := testbench/build/testaio
SOURCES := pom.xml emulator/pom.xml testbench/pom.xml $(shell find emulator/src/main testbench/src/main -type f)

# Maven runs on the JDK 25 too, so that the formatter and Checkstyle load.
MVN = JAVA_HOME=$$(scripts/java-home) \
	MAVEN_OPTS="$$MAVEN_OPTS --sun-misc-unsafe-memory-access=allow" mvn -B -ntp

.PHONY: all help prerequisites build test test-kernel unit soak demo mutants bench bench-codec bench-shim format clean FORCE

all: test ## Build and test everything (the same as `make test`)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

prerequisites:
	@scripts/check-prerequisites

build: $(CACHE) $(SHIM) $(TESTAIO) ## Build the daemon, the shim and the test programs

$(JAR): $(SOURCES) | prerequisites
	$(MVN) -q package -DskipTests
	@touch $@ $(EXPERIMENTS)

$(CACHE): $(JAR) $(SHIM) spindle scripts/train-cache
	scripts/train-cache

$(SHIM): FORCE | prerequisites
	@$(MAKE) --no-print-directory -C shim-native

$(TESTAIO): FORCE | prerequisites
	@$(MAKE) --no-print-directory -C testbench/c

test: build ## Everything: unit tests, the shim's own tests, real programs against a running daemon
	scripts/test-packages
	$(MVN) verify
	$(MAKE) --no-print-directory -C shim-native check memory
	testbench/test-kernel --if-possible

test-kernel: build ## Spindle as /dev/nbd0 under real kernels, in throw-away guests
	scripts/test-packages
	testbench/test-kernel

unit: prerequisites ## The Java unit tests alone
	$(MVN) -pl emulator test

SECONDS ?= 300
SEED ?=

soak: build ## Random NBD clients for five minutes (SECONDS=, and SEED= to run one again)
	$(MVN) verify -Dtest='SoakTest,TransportTest' -Dsurefire.failIfNoSpecifiedTests=false \
		-Dspindle.cycles=10000 -Dspindle.soak.seconds=$(SECONDS) $(if $(SEED),-Dspindle.soak.seed=$(SEED))

demo: build ## See io_submit block on a small request queue, and stop blocking on a larger one (two minutes)
	testbench/demo

FAULT ?=

mutants: prerequisites ## Break each mechanism in its source and see that a test notices (FAULT="barrier": those so named)
	$(MVN) -pl emulator test -Dtest=PlantedSourceFaultsTest $(if $(FAULT),'-Dspindle.fault=$(FAULT)')

bench: build ## Measure the server beside nbdkit and qemu-nbd, and print the ratios
	scripts/test-packages
	testbench/bench

CODEC ?=

bench-codec: $(JAR) ## Times and bytes allocated for a request in the NBD codec, by JMH (CODEC= chooses benchmarks)
	$(MVN) -q -Pbenchmarks -pl benchmarks -am package -DskipTests
	$$(scripts/java-home)/bin/java -jar benchmarks/target/spindle-benchmarks.jar -prof gc $(CODEC)

bench-shim: build ## Measure programs under the shim beside the kernel's own AIO, and print the ratios
	testbench/bench-shim

format: prerequisites ## Format the Java sources
	$(MVN) -q spotless:apply

clean: ## Remove everything that was built
	rm -rf emulator/target testbench/target testbench/build benchmarks/target
	@$(MAKE) --no-print-directory -C shim-native clean
