# The benchmarks of programs that poll: sweeps of the servers of programs/, undisturbed and beside processes that keep all
# cores busy (polling), and their seeded bugs with replays of what was found (polling-bugs). Part of ./run, which says
# what $dampi_run, $work, $log, $root and $polling_budget are. Each makes $work/NAME.table; what must be 0, or all, and
# is not makes $mismatches larger than 0. Figures of memory and files that are larger than they should be are marked.

polling_servers=(batcher nq testany_server priority_server level_search)
polling_ranks=4
polling_spinners=8
replays=20

# In KiB, of a sweep of 1,000 interleavings.
most_of_journal=$((5 * 1024))
most_of_report=$((2 * 1024))
most_of_memory=$((150 * 1024))

# Each seeded bug: program, number, processes, what else it is compiled with, arguments.
polling_bugs=(
    "batcher:1:4::" "batcher:2:4::" "batcher:3:4::" "batcher:4:4::" "batcher:5:4::" "batcher:6:4::"
    "testany_server:1:3::2 1" "testany_server:2:3::1 2" "testany_server:3:3:-DPATIENCE=500:2 1" "testany_server:4:3::2 1"
    "priority_server:1:3::2" "priority_server:2:3:-DPATIENCE=500:2" "priority_server:3:3:-DPATIENCE=500:2"
    "priority_server:4:3::2" "priority_server:5:3::2"
    "level_search:1:3::12" "level_search:2:3::12"
)

# watched COMMAND...: runs it; sets `memory` to the most resident KiB of dampi-run itself, and `status`.
watched() {
    local pid seen
    memory=0 status=0
    timeout 3600 "$@" </dev/null >>"$log" 2>&1 &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        # timeout's child
        seen=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\).*/\1/p' /proc/"$(pgrep -P "$pid" | head -n 1)"/status 2>/dev/null || true)
        ((${seen:-0} <= memory)) || memory=$seen
        sleep 0.05
    done
    wait "$pid" || status=$?
}
kibibytes() { if [[ -e $1 ]]; then echo $(($(stat -c %s "$1") / 1024)); else echo 0; fi; }
# flag VALUE MOST: the value, marked if it is larger.
flag() { if (($1 > $2)); then echo "!$1"; else echo "$1"; fi; }

# polling_sweep BESIDE ENGINE PROGRAM: a line of the table.
polling_sweep() {
    local beside=$1 engine=$2 program=$3 cells doubts
    rm -rf "$work/sweep"
    watched "$dampi_run" -q --buffering native --mpi "$mpi" -n "$polling_ranks" --engine "$engine" -o "$work/sweep" \
        --max-interleavings "$polling_budget" "$work/programs/$program"
    # 3: something is left out; 1 is a false alarm
    [[ $status == 0 || $status == 3 ]] || fail "$program on $polling_ranks processes ended with status $status."
    doubts="$(number_of imprecise_matches) $(number_of divergences)"
    [[ $doubts == "0 0" ]] || mismatches=$((mismatches + 1))
    cells=("$(explored)" $doubts
        "$(sed -n 's/^  "seconds": *\([0-9.e-]*\).*/\1/p' "$work/sweep/report.json" |
            awk -v count="$(explored)" '{ printf "%.1f", count / $1 }')"
        "$(flag "$(kibibytes "$work/sweep/journal")" $most_of_journal)"
        "$(flag "$(kibibytes "$work/sweep/report.json")" $most_of_report)" "$(flag "$memory" $most_of_memory)")
    printf '%-16s %-12s %-8s %8s %9s %11s %8s %9s %8s %9s\n' "$program" "$engine" "$beside" "${cells[@]}" >>"$work/polling.table"
    printf '.' >&2
}

# The program with its bug: in which interleaving it is found, and how many replays show it again.
polling_bug() {
    local name number ranks flags arguments engine=$2 program shows=0 i first kind file
    IFS=: read -r name number ranks flags arguments <<<"$1"
    program=$work/programs/$name-bug-$number
    # shellcheck disable=SC2086
    mpicc.mpich -O1 -g -w "-DBUG=$number" $flags -o "$program" "$root/tests/bench/programs/$name.c" >>"$log" 2>&1 ||
        fail "$name could not be built with bug $number."
    rm -rf "$work/sweep"
    # shellcheck disable=SC2086
    watched "$dampi_run" -q --buffering native --mpi "$mpi" -n "$ranks" --engine "$engine" -o "$work/sweep" --sample 0 \
        --stop-on-first --max-interleavings "$polling_budget" "$program" $arguments
    if [[ $status == 1 ]]; then
        IFS=$'\t' read -r first kind file < <(python3 -c 'import json, sys
finding = next(each for each in json.load(open(sys.argv[1]))["violations"] if each["fails"])
print(finding["first_interleaving"], finding["kind"], finding["decisions"], sep="\t")' "$work/sweep/report.json")
        file=$work/sweep/$file
        for ((i = 0; i < replays; ++i)); do
            rm -rf "$work/replay"
            # shellcheck disable=SC2086
            watched "$dampi_run" -q --mpi "$mpi" -n "$ranks" -o "$work/replay" --replay "$file" "$program" $arguments
            [[ $status != 1 ]] || ! grep -q "\"kind\": *\"$kind\"" "$work/replay/report.json" || shows=$((shows + 1))
        done
    else
        first=-
        kind="(none in $(explored))"
        shows=0
    fi
    ((shows == replays)) || mismatches=$((mismatches + 1))
    printf '%-16s %-12s %-8s %8s %9s   %s\n' "$name" "$engine" "$number" "$first" "$shows/$replays" "$kind" >>"$work/polling-bugs.table"
    printf '.' >&2
}

polling() {
    local engine program spinners i beside
    {
        echo "sweeps of at most $polling_budget interleavings, $polling_ranks processes (! more than it should be; KiB)"
        printf '%-16s %-12s %-8s %8s %9s %11s %8s %9s %8s %9s\n' "" engine beside runs imprecise divergences 1/s journal report memory
    } >"$work/polling.table"
    for beside in nobody spinning; do
        spinners=()
        for ((i = 0; i < polling_spinners && ${#beside} == 8; ++i)); do
            (while :; do :; done) &
            spinners+=($!)
        done
        # shellcheck disable=SC2064
        ((${#spinners[@]} == 0)) || trap "kill ${spinners[*]} 2>/dev/null || true" EXIT
        for engine in distributed central; do
            for program in "${polling_servers[@]}"; do polling_sweep "$beside" "$engine" "$program"; done
        done
        ((${#spinners[@]} == 0)) || { kill "${spinners[@]}" && wait "${spinners[@]}" 2>/dev/null || true; }
        trap - EXIT
    done
    printf '\n' >&2
}

polling-bugs() {
    local engine bug
    {
        echo "the interleaving that shows a seeded bug, of at most $polling_budget, and how many replays do"
        printf '%-16s %-12s %-8s %8s %9s   %s\n' "" engine bug found replays kind
    } >"$work/polling-bugs.table"
    for bug in "${polling_bugs[@]}"; do
        for engine in distributed central; do polling_bug "$bug" "$engine"; done
    done
    printf '\n' >&2
}
