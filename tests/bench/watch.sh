# The benchmarks of dampi-watch: what its layer adds to a call and to a job (watch), and what it makes of faults that are put
# into running jobs (hangs: tests/watch/campaign.py). Part of ./run, which says what $build, $work, $log, $root and
# $hangs_each are. Each makes $work/NAME.table; hangs that are not found, and alarms where there are none, make $mismatches
# larger than 0.

watch_rounds=5

watch() {
    local programs=$root/tests/bench/programs/watch own=$work/watch boards=$work/watch/boards round
    rm -rf "$own" && mkdir -p "$own" "$boards" && chmod 700 "$boards"
    gcc -O2 -w -fPIC -shared -o "$own/libmpi_none.so" "$programs/no_mpi.c" >>"$log" 2>&1 &&
        gcc -O2 -o "$own/calls" "$programs/calls.c" -L"$own" -lmpi_none -Wl,-rpath,"$own" >>"$log" 2>&1 ||
        fail "The programs of watch could not be built."
    "$own/calls" >"$own/without"
    LD_PRELOAD=$build/piggyback/watch/libdampi-watch.so DAMPI_WATCH_FOLDER=$boards "$own/calls" >"$own/with"
    for ((round = 0; round < watch_rounds; ++round)); do
        mpiexec.mpich -n 2 "$work/programs/rate" 8 | awk 'END {print $NF}' >>"$own/rate.without"
        "$build/scheduler/dampi-watch" -q -o "$own/out" -- mpiexec.mpich -n 2 "$work/programs/rate" 8 2>>"$log" |
            awk 'END {print $NF}' >>"$own/rate.with"
    done
    {
        printf '%-44s %10s %10s %10s\n' "call" "without" "with" "layer, ns"
        paste -d ' ' "$own/without" "$own/with" | awk '{gsub(/_MPI/, " MPI", $1); gsub(/:_/, ": ", $1); printf "%-44s %10s %10s %10.1f\n", $1, $2, $4, $4 - $2}'
        printf '%-44s %10s %10s\n' "rate, 8 B, 2 ranks (as it prints it)" "$(sort -g "$own/rate.without" | sed -n "$((watch_rounds / 2 + 1))p")" \
            "$(sort -g "$own/rate.with" | sed -n "$((watch_rounds / 2 + 1))p")"
    } >"$work/watch.table"
}

hangs() {
    python3 "$root/tests/watch/campaign.py" --dampi-watch "$build/scheduler/dampi-watch" --work "$work/campaign" --each "$hangs_each" \
        --clean-seconds 20 >"$work/hangs.table" 2>>"$log" || mismatches=$((mismatches + 1))
}
