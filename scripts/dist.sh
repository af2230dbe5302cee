#!/usr/bin/env bash
# Builds what is given to others into target/distribution (or $DIST): the program, linked statically, as a tarball with man pages and
# completions and as a wheel, their checksums, and a bill of materials.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(realpath --canonicalize-missing "${DIST:-target/distribution}")
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
version=$(sed --quiet '0,/^version = "\(.*\)"/s//\1/p' Cargo.toml)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat --format=%Y Cargo.toml)
# Where sources lie is part of messages, of Rust and of C: folders have the same names wherever this is built.
cargo_home=${CARGO_HOME:-$HOME/.cargo}
RUSTFLAGS="--remap-path-prefix=$cargo_home=/cargo --remap-path-prefix=$PWD=/ompmemopt"
CFLAGS="-ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$PWD=/ompmemopt"
CXXFLAGS=$CFLAGS
export SOURCE_DATE_EPOCH RUSTFLAGS CFLAGS CXXFLAGS CARGO_TARGET_DIR=$target CARGO_INCREMENTAL=0 PYTHONDONTWRITEBYTECODE=1

cargo build --profile dist --bin ompmemopt --no-default-features --features static,llvm19 --locked
rm -rf "$out"
mkdir -p "$out"

name=ompmemopt-$version-$(uname -m)-linux
tree=$out/$name
install -D -m 755 "$target/dist/ompmemopt" "$tree/bin/ompmemopt"
program=$tree/bin/ompmemopt
mkdir -p "$tree"/share/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d,doc/ompmemopt/docs}
"$program" man --output-dir "$tree/share/man/man1"
"$program" completions bash >"$tree/share/bash-completion/completions/ompmemopt"
"$program" completions zsh >"$tree/share/zsh/site-functions/_ompmemopt"
"$program" completions fish >"$tree/share/fish/vendor_completions.d/ompmemopt.fish"
install -m 644 README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$tree/share/doc/ompmemopt"
install -m 644 docs/*.md docs/licenses.txt "$tree/share/doc/ompmemopt/docs"
tar --create --directory "$out" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
    "$name" | gzip --no-name --best >"$out/$name.tar.gz"
rm -r "$tree"

maturin=$(command -v maturin || true)
if [[ -z $maturin ]]; then
    python3 -m venv "$target/maturin"
    "$target/maturin/bin/pip" install --quiet 'maturin>=1.7,<2'
    maturin=$target/maturin/bin/maturin
fi
(cd packaging/wheel && "$maturin" build --quiet --out "$out")

python3 scripts/bill_of_materials.py >"$out/ompmemopt-$version.cdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS)
echo "made in $out:"
(cd "$out" && stat --format='  %n  %s bytes' -- *)
