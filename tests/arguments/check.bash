#!/usr/bin/env bash
# Runs one of the programs once: all of its faulty calls are found, each at its line, and nothing else; or, of the
# correct ones, in two ranks, none. Unusual calls are found as notes, if they are asked for, and are no fault.
#
#   check.bash DAMPI_RUN ENGINE PROGRAM SOURCE
set -euo pipefail
dampi_run=$1 engine=$2 program=$3 source=$4

# A sweep with that many findings writes many small files, which takes its time on a disk.
memory=/dev/shm
[[ -d $memory && -w $memory ]] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/arguments.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

ranks=1
expected=1
if [[ $program == *correct* || $program == */usual* ]]; then
    ranks=2
    expected=0
elif [[ $program == *unusual* ]]; then
    expected=0
fi
options=()
[[ $program != *usual_calls* ]] || options=(--warn unusual)
status=0
"$dampi_run" "${options[@]}" --engine "$engine" -n "$ranks" --max-interleavings 1 --buffering native -o sweep "$program" \
    >sweep.log 2>&1 || status=$?
if ((expected == 1)); then
    ((status == 1)) || { echo "dampi-run ended with $status:"; tail sweep.log; exit 1; }
    python3 "$(dirname "$source")/../check_findings.py" sweep/report.json "$source" "$engine"
elif [[ $program == *unusual* ]]; then
    ((status == 0 || status == 3)) || { echo "dampi-run ended with $status:"; tail sweep.log; exit 1; }
    python3 "$(dirname "$source")/../check_findings.py" sweep/report.json "$source" "$engine" notes
    "$dampi_run" --engine "$engine" -n 1 --max-interleavings 1 --buffering native -o without "$program" >/dev/null 2>&1 ||
        (($? == 3))
    grep -q '"notes": \[\]' without/report.json || { echo "there are notes that nobody asked for"; exit 1; }
elif ! grep -q '"violations": \[\]' sweep/report.json || ! grep -q '"notes": \[\]' sweep/report.json; then
    echo "dampi-run ended with $status, and calls that are right are called wrong, or unusual:"
    grep -A4 '^violation\|^note' sweep.log || tail sweep.log
    exit 1
fi
