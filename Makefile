# What one types while working on ompmemopt. `make setup` once, then `make ready` before every submission.

CARGO ?= cargo
SEEDS ?= 1000

# Threads of the tests' programs that wait for work would take the cores from those that have some.
export OMP_WAIT_POLICY ?= passive

.PHONY: setup build demo test soak bench ready

# Installs what is missing of the compiler, LLVM and the OpenMP runtime; says what to do where it cannot.
setup:
	@scripts/setup.sh

build: setup
	$(CARGO) build --release

# For each example: what the tool changes, then the proof that the result is the same and moves less.
demo: build
	@examples/demo.sh target/release/ompmemopt

test: setup
	$(CARGO) test --all --no-fail-fast

# Random programs, rewritten and compared: make soak SEEDS=100000 [FIRST_SEED=N] [PROFILE=NAME] [MOST_FAILURES=N]
soak:
	SEEDS=$(SEEDS) $(CARGO) test --profile soak --test differential -- tool::

# Measures movement and run time and writes docs/benchmarks.md.
bench: setup
	$(CARGO) bench --bench measure

ready:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --all-targets -- -D warnings
	$(MAKE) test
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps
