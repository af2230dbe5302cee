#!/usr/bin/env bash
# Shows the tool at work: for each example, the patch to its naive version, then the proof that it may be applied.
set -euo pipefail
tool=$(realpath "${1:?usage: demo.sh OMPMEMOPT}")
cd "$(dirname "$0")"
for example in */; do
    example=${example%/}
    naive=$example/naive
    [[ -d $naive ]] || naive+=.c # a program of one file
    [[ -e $naive ]] || continue
    printf '\n== %s ==\n' "$example"
    "$tool" rewrite "$naive" || (($? == 1)) # 1 says that there is something to change
    "$tool" verify "$naive"
done
