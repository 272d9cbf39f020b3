#!/usr/bin/env bash
# Runs the calls alone and below the tool, with one rank and with two, and compares the error classes.
#
#   compare.bash DAMPI_RUN ENGINE PROGRAM MPIEXEC
set -euo pipefail
dampi_run=$1 engine=$2 program=$3 mpiexec=$4

# A sweep with that many findings writes many small files, which takes its time on a disk.
memory=/dev/shm
[[ -d $memory && -w $memory ]] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/null_pointers.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

# What is not compared. What a rank writes or reads by itself MPICH begins without a buffer, and never completes; the tool
# refuses it.
others=' 0 MPI_File| MPI_File_i(write|read)(_at|_shared)?(_c)? buf'

"$program" probe probed >native.log 2>&1
failed=0
for ranks in 1 2; do
    "$mpiexec" -n "$ranks" "$program" call probed "native_$ranks" >native.log 2>&1 || true  # no MPI_Finalize
    if [[ ! -f native_$ranks ]] || (($(wc -l <"native_$ranks") < 500)); then
        echo "Without the tool too few calls came back:"
        wc -l "native_$ranks"*
        tail native.log
        exit 1
    fi
    status=0
    "$dampi_run" --engine "$engine" -n "$ranks" --max-interleavings 1 -o "sweep_$ranks" \
        "$program" call "native_$ranks" "below_$ranks" >"sweep_$ranks.log" 2>&1 || status=$?
    # The misuse is found (1); nothing else may go wrong.
    if ((status != 1)); then
        echo "dampi-run -n $ranks ended with $status:"
        tail "sweep_$ranks.log"
        failed=1
    fi
    if grep -E '"kind": "(crash|abort|deadlock|hang|livelock|collective/mismatch)"' "sweep_$ranks/report.json"; then
        failed=1
    fi
    if [[ ! -f below_$ranks ]]; then
        echo "Below the tool $ranks ranks did not come to the end:"
        tail -n 1 "below_$ranks.part"
        failed=1
    elif ! diff <(grep -Ev "$others" "native_$ranks") <(grep -Ev "$others" "below_$ranks"); then
        echo "Below the tool (>) $ranks ranks come to something else than alone (<)"
        failed=1
    fi
done
exit "$failed"
