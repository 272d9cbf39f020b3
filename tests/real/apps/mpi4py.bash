# mpi4py 3.1.4: its own test suite with 1 to 4 ranks, natively and under dampi-run, as a table. Takes long.
# Needs cython3, python3-dev and python3-numpy, all for /usr/bin/python3.

# "ran failed errors skipped" of the last summary that Python's unittest printed into FILE; "- - - -" without one.
unittest_counts() {
    python3 - "$1" <<'PYTHON'
import re, sys

text = open(sys.argv[1], errors="replace").read()
ran = re.findall(r"^Ran (\d+) tests? in", text, re.M)
result = re.findall(r"^(?:OK|FAILED)(?: \((.*)\))?$", text, re.M)
if not ran or not result:
    print("- - - -")
else:
    counts = dict(re.findall(r"(failures|errors|skipped)=(\d+)", result[-1]))
    print(ran[-1], *(counts.get(name, "0") for name in ("failures", "errors", "skipped")))
PYTHON
}

build_mpi4py() {
    need cython3 python3-dev python3-numpy
    fetch mpi4py
    local source=$work/mpi4py
    compgen -G "$source/build/lib*/mpi4py/MPI.*.so" >/dev/null && return
    echo "Building mpi4py ..."
    (cd "$source" && /usr/bin/python3 setup.py build --mpicc=mpicc.mpich) >"$log" 2>&1 ||
        fail "mpi4py's build failed." "$log"
    compgen -G "$source/build/lib*/mpi4py/MPI.*.so" >/dev/null || fail "mpi4py was not built in $source." "$log"
}

# The suite lets the ranks print on their own; it is run with -q, so that each prints its summary only.
run_mpi4py() {
    local source=$work/mpi4py here=$work/run/mpi4py library
    library=$(compgen -G "$source/build/lib*" | head -n 1)
    # Dynamic processes start mpi4py again, natively as well; what the MPI library cannot do is skipped by the suite.
    local -a suite=(/usr/bin/python3 "$source/test/runtests.py" -q)
    mkdir -p "$here"
    printf '\n== mpi4py\n%-6s %-10s %6s %6s %6s %6s %6s %8s  %s\n' ranks how status ran failed errors skipped seconds verdict
    local ranks how status verdict begin differs=0
    for ranks in 1 2 3 4; do
        local native=
        for how in native dampi; do
            local output=$here/$how-$ranks.log
            status=0
            verdict=
            begin=$SECONDS
            if [[ $how == native ]]; then
                (cd "$here" && PYTHONPATH=$library timeout 1800 mpiexec.mpich -n "$ranks" "${suite[@]}") \
                    >"$output" 2>&1 </dev/null || status=$?
            else
                (cd "$here" && PYTHONPATH=$library timeout 3600 "$dampi_run" -n "$ranks" -o "out-$ranks" \
                    --max-interleavings 1 --keep-output all "${suite[@]}") >"$here/report-$ranks" 2>&1 </dev/null || status=$?
                cat "$here/out-$ranks"/output/*1.out "$here/out-$ranks"/output/*1.err >"$output" 2>/dev/null || true
                verdict=$(sed -n 's/^dampi: verdict: //p' "$here/report-$ranks")
            fi
            local counts
            counts=$(unittest_counts "$output")
            # shellcheck disable=SC2086  # four columns
            printf '%-6s %-10s %6s %6s %6s %6s %6s %8s  %s\n' "$ranks" "$how" "$status" $counts \
                $((SECONDS - begin)) "$verdict"
            if [[ $how == native ]]; then
                native=$counts
            elif [[ $counts != "$native" || $counts == -* ]]; then
                differs=1
            fi
        done
    done
    if ((differs)); then
        echo "results: DIFFERENT from the native ones; the logs are in $here"
        differences=1
    else
        echo "results: the same numbers of tests ran, failed and were skipped as natively"
    fi
}
