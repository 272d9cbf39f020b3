#!/bin/bash
# patch_test.sh ROOT WORK: the patch of MPICH fits Debian's source of it, without a line's offset. Exit status 77 where the
# source cannot be fetched.
set -euo pipefail

root=$1 work=$2
"$root/cmake/fetch-source.sh" mpich "$work" || exit 77
said=$(patch --dry-run --fuzz=0 -p1 -d "$work/mpich" <"$root"/piggyback/mpich/mpich-*.patch) || {
    echo "$said"
    exit 1
}
if grep -E 'offset|fuzz' <<<"$said"; then
    echo "The patch fits elsewhere only: make it anew."
    exit 1
fi
