#!/usr/bin/env bash
# Builds the guide into target/docs/guide, which is read without a network, and looks whether its links lead somewhere: scripts/docs.sh OMPMEMOPT
set -euo pipefail
tool=$(realpath "$1")
cd "$(dirname "$0")/.."

version=0.5.4
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
mdbook=$(command -v mdbook || true)
if [[ -z $mdbook ]]; then
    mdbook=$target/mdbook/bin/mdbook
    [[ -x $mdbook ]] || cargo install mdbook --version "$version" --locked --no-default-features --features search --root "$target/mdbook"
fi

# Chapters include pages of docs/ and parts of the README.
tree=$target/docs/tree
rm -rf "$tree"
mkdir -p "$tree"
cp -r docs README.md "$tree"
(cd examples && "$tool" explain --output-format html relax/naive.c) >"$tree/docs/guide/src/relax.html"

export MDBOOK_PREPROCESSOR__BOOK__COMMAND="python3 $PWD/scripts/book.py" MDBOOK_PREPROCESSOR__BOOK__AFTER='["links"]'
"$mdbook" build --dest-dir "$target/docs/guide" "$tree/docs/guide"
python3 scripts/book.py check "$target/docs/guide"
echo "made: $target/docs/guide/index.html"
