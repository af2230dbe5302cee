#!/usr/bin/env bash
# Shows the tool at work: for each example, the patch to its naive version, then the proof that it may be applied.
set -euo pipefail
tool=$(realpath "${1:?usage: demo.sh OMPMEMOPT}")
cd "$(dirname "$0")"
for example in */; do
    example=${example%/}
    [[ -f $example/naive.c ]] || continue
    printf '\n== %s ==\n' "$example"
    "$tool" rewrite "$example/naive.c" || (($? == 1)) # 1 says that there is something to change
    "$tool" verify "$example/naive.c"
done
