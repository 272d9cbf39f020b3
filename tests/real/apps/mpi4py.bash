# mpi4py with 1 to 4 ranks, natively and under dampi-run, as a table of what its tests say: mpi4py 3.1.4 with its own
# suite where Debian's mirror has that source, otherwise the mpi4py 3.0.3 that comes with ParaView's source; in both
# cases the programs in tests/real/mpi4py, which use all of MPI through mpi4py. Takes minutes.
# Needs python3-dev and python3-numpy, for mpi4py's own source also cython3, all for /usr/bin/python3.

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
    need python3-dev python3-numpy
    if fetch mpi4py 2>"$log"; then
        build_mpi4py_itself
    else
        build_mpi4py_of_paraview
    fi
}

build_mpi4py_itself() {
    need cython3
    mpi4py_source=$work/mpi4py
    echo "mpi4py is that of its own source package."
    if ! compgen -G "$mpi4py_source/build/lib*/mpi4py/MPI.*.so" >/dev/null; then
        echo "Building mpi4py ..."
        (cd "$mpi4py_source" && /usr/bin/python3 setup.py build --mpicc=mpicc.mpich) >"$log" 2>&1 ||
            fail "mpi4py's build failed." "$log"
    fi
    mpi4py_library=$(compgen -G "$mpi4py_source/build/lib*" | head -n 1) || fail "mpi4py was not built." "$log"
}

# ParaView's source has mpi4py as Cython has translated it, without its suite.
build_mpi4py_of_paraview() {
    local source=VTK/ThirdParty/mpi4py/vtkmpi4py module
    fetch paraview "$source"
    source=$work/paraview/$source/src
    module=MPI$(/usr/bin/python3-config --extension-suffix)
    mpi4py_source=
    mpi4py_library=$work/mpi4py-of-paraview
    echo "mpi4py is that of ParaView's source package."
    mkdir -p "$mpi4py_library/mpi4py"
    cp "$source"/mpi4py/*.py "$mpi4py_library/mpi4py"
    compile "$mpi4py_library/mpi4py" "$module" \
        "mpicc.mpich -O1 -shared -fPIC -I$source $(/usr/bin/python3-config --includes) -o $module $source/MPI.c"
}

# unittest_table NAME COMMAND...: what the tests say that the command runs, natively and with both kinds of clocks.
unittest_table() {
    local name=$1 here=$work/run/mpi4py/$1 ranks how status verdict begin counts native output differs=0
    shift
    mkdir -p "$here"
    printf '\n== mpi4py: %s\n%-6s %-8s %6s %6s %6s %6s %7s %8s  %s\n' "$name" ranks how status ran failed errors \
        skipped seconds verdict
    for ranks in 1 2 3 4; do
        for how in native vector lamport; do
            output=$here/$how-$ranks.log
            status=0
            verdict=
            begin=$SECONDS
            if [[ $how == native ]]; then
                (cd "$here" && PYTHONPATH=$mpi4py_library timeout 1800 mpiexec.mpich -n "$ranks" "$@") \
                    >"$output" 2>&1 </dev/null || status=$?
            else
                (cd "$here" && PYTHONPATH=$mpi4py_library timeout 3600 "$dampi_run" -n "$ranks" -o "$how-$ranks" \
                    --clock "$how" --max-interleavings 1 --sample 0 --keep-output all "$@") \
                    >"$here/$how-$ranks.report" 2>&1 </dev/null || status=$?
                cat "$here/$how-$ranks"/output/*1.out "$here/$how-$ranks"/output/*1.err >"$output" 2>/dev/null || true
                verdict=$(sed -n 's/^dampi: verdict: //p' "$here/$how-$ranks.report")
            fi
            counts=$(unittest_counts "$output")
            # shellcheck disable=SC2086  # four columns
            printf '%-6s %-8s %6s %6s %6s %6s %7s %8s  %s\n' "$ranks" "$how" "$status" $counts $((SECONDS - begin)) \
                "${verdict%% (*}"
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

# Programs with a bug each: whether it is found, in the words that they expect.
python_bugs() {
    local program here=$work/run/mpi4py/bugs name expected
    mkdir -p "$here"
    printf '\n== mpi4py: programs with a bug\n'
    for program in "$root"/tests/real/mpi4py/bug_*.py; do
        name=$(basename "$program" .py)
        expected=$(sed -n 's/^# EXPECT: //p' "$program")
        (cd "$here" && PYTHONPATH=$mpi4py_library timeout 300 "$dampi_run" -n 3 -o "$name" \
            /usr/bin/python3 -B "$program") >"$here/$name.report" 2>&1 </dev/null || true
        if grep -F "$expected" "$here/$name.report"; then
            continue
        fi
        echo "$name: DIFFERENT, not found: $expected; see $here/$name.report"
        differences=1
    done
}

run_mpi4py() {
    # The suite lets the ranks print on their own; it is run with -q, so that each prints its summary only. Dynamic
    # processes start mpi4py again, natively as well; what the MPI library cannot do is skipped by the suite.
    [[ -z $mpi4py_source ]] || unittest_table "its own suite" /usr/bin/python3 "$mpi4py_source/test/runtests.py" -q
    # Calls that are wrong on purpose are by themselves: they are violations.
    local -a programs=(/usr/bin/python3 -B "$root/tests/real/mpi4py/run.py")
    unittest_table "programs" "${programs[@]}" 'test_*.py'
    unittest_table "wrong calls" "${programs[@]}" 'wrong_*.py'
    python_bugs
}
