# What one types while working on ompmemopt. `make setup` once, then `make ready` before every submission.

CARGO ?= cargo
SEEDS ?= 1000
# Which LLVM is linked. `scripts/with-llvm 22 make test` sets it, and sees to it that this LLVM is found.
LLVM ?= 19
FEATURES = $(if $(filter-out 19,$(LLVM)),--no-default-features --features llvm$(LLVM)$(comma)dynamic)
comma := ,

# Threads of the tests' programs that wait for work would take the cores from those that have some.
export OMP_WAIT_POLICY ?= passive

.PHONY: setup build dist install bare demo test soak mutants collectives attack bench bench-gpu docs walls ready

# Installs what is missing of the compiler, LLVM and the OpenMP runtime; says what to do where it cannot.
setup:
	@scripts/setup.sh

build: setup
	$(CARGO) build --release $(FEATURES)

# What a static program is linked of besides, and what makes a wheel.
STATIC_PACKAGES = zlib1g-dev libzstd-dev libxml2-dev libz3-dev libpolly-19-dev python3-venv

# What is given to others, in target/distribution: a tarball and a wheel with the program linked statically, checksums, a bill of materials.
dist:
	@scripts/setup.sh $(STATIC_PACKAGES)
	@scripts/dist.sh

# The static program, where nothing else is, prints what the other one prints: make bare FOLDERS="examples tests/fixtures"
FOLDERS ?= examples
TARGET = $(or $(CARGO_TARGET_DIR),target)
bare:
	@scripts/setup.sh $(STATIC_PACKAGES)
	$(CARGO) build --profile test --bin ompmemopt $(FEATURES)
	cp $(TARGET)/debug/ompmemopt $(TARGET)/debug/ompmemopt-dynamic
	$(CARGO) build --profile test --bin ompmemopt --no-default-features --features static,llvm$(LLVM)
	scripts/bare.sh $(TARGET)/debug/ompmemopt $(TARGET)/debug/ompmemopt-dynamic $(FOLDERS)

# Puts the program with its man pages and completions where PREFIX says: make install PREFIX=$HOME/.local
PREFIX ?= /usr/local
install: dist
	mkdir -p "$(DESTDIR)$(PREFIX)"
	tar --extract --gzip --file target/distribution/ompmemopt-*.tar.gz --directory "$(DESTDIR)$(PREFIX)" --strip-components=1 --no-same-owner

# For each example: what the tool changes, then the proof that the result is the same and moves less.
demo: build
	@examples/demo.sh target/release/ompmemopt

test: setup
	$(CARGO) test --all --no-fail-fast $(FEATURES)

# Random programs, rewritten and compared: make soak SEEDS=100000 [FIRST_SEED=N] [PROFILE=NAME] [MOST_FAILURES=N]
soak:
	SEEDS=$(SEEDS) $(CARGO) test --profile soak $(FEATURES) --test differential -- tool::

# Right programs, spoiled one directive each, run and checked: make mutants MUTANTS=2000 [FIRST_MUTANT=N] [KEEP=FOLDER]
mutants:
	MUTANTS=$(MUTANTS) $(CARGO) test --profile soak $(FEATURES) --test check

# Programs with collectives whose verdict is known, judged, and with RUN=1 run: make collectives SEEDS=3000 [FIRST_SEED=N] [KIND=mpi] [KEEP=FOLDER]
collectives:
	SEEDS=$(SEEDS) $(CARGO) test --profile soak $(FEATURES) --test check -- collectives-seeds

# Puts hostile programs through rewrite and annotate in all modes and judges what comes out: make attack DIR=FOLDER [NAME=PART].
# NAME.c is a program, and so is a folder NAME of C files; each line of NAME.args is a list of arguments to run it with as well.
attack:
	@test -d "$(DIR)" || { echo "make attack DIR=FOLDER: which folder of programs?" >&2; exit 2; }
	@ATTACK="$(abspath $(DIR))" $(CARGO) test --quiet $(FEATURES) --test fixtures -- $(NAME)

# Measures movement and run time and writes docs/benchmarks.md.
bench: setup
	$(CARGO) bench --bench measure

# Wall time, transfer time and bytes of the examples on this machine's GPU, where there is one: make bench-gpu [GPU_OPTIONS="--compiler nvc"]
bench-gpu: build
	@scripts/bench_gpu.py $(GPU_OPTIONS) target/release/ompmemopt

# The guide, in target/docs/guide: pages that are read without a network, with links that lead somewhere.
docs: build
	@scripts/docs.sh target/release/ompmemopt

# Format, lints and documentation: what the compiler and its tools can tell.
walls:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --all-targets $(FEATURES) -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --document-private-items

ready: walls test
