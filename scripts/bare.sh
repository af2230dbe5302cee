#!/usr/bin/env bash
# Runs a statically linked program where there is nothing else, no compiler, no LLVM, no C library to compile with, and compares what it
# prints with what another build prints here: scripts/bare.sh STATIC OTHER [FOLDER...]. FOLDERs are folders of folders of C files, from
# the project's own on; default: examples. Root, or a kernel that lets users have a namespace, is needed.
set -euo pipefail
cd "$(dirname "$0")/.."

static=$(realpath "$1") other=$(realpath "$2")
shift 2
((EUID == 0)) || exec unshare --user --map-root-user scripts/bare.sh "$static" "$other" "$@"
(($#)) || set -- examples

root=$(mktemp --directory)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/{tmp,bin,dev,seen}
: >"$root/dev/null" # what a process that reads nothing has as its input
cp "$static" "$root/bin/ompmemopt"
ldd "$static" | grep --only-matching '/[^ ]*' | while read -r library; do
    install -D "$library" "$root$library"
done
for folder; do
    mkdir -p "$root/$(dirname "$folder")"
    cp -r "$folder" "$root/$folder"
done

code=0
chroot "$root" /bin/ompmemopt version || code=$?
if ((code == 125)); then # chroot's own failure: the program was not started
    echo "this machine lets nobody change the root folder: nothing was compared"
    exit 0
fi

programs=0 differ=0
# What is said about the headers that are read is said there alone.
quietly() { grep --invert-match '^note: no headers of a C library' || true; }
compare() {
    programs=$((programs + 1))
    (chroot "$root" /bin/ompmemopt "$@" 2>&1 || echo "exit $?") | quietly >"$root/seen/static"
    (cd "$root" && "$other" "$@" 2>&1 || echo "exit $?") | sed "s|$root/|/|g" | quietly >"$root/seen/other"
    if ! cmp --silent "$root/seen/static" "$root/seen/other"; then
        differ=$((differ + 1))
        echo "ompmemopt $*:"
        diff "$root/seen/other" "$root/seen/static" | head -n 20 || true
    fi
}
for folder; do
    for program in "$folder"/*/; do
        for command in rewrite annotate check; do
            compare "$command" -v --no-cache "$program"
        done
    done
done
echo "$programs runs where nothing else is, $differ of them differ"
((differ == 0))
