# The benchmarks of bounded searches and of orders: how many interleavings there are, and how many of the seeded bugs are
# found. Part of ./run, which says what $dampi_run, $work, $log, $root, $full and $bugs_budget are. Each makes a table
# of its own in $work/NAME.table; what must be exact and is not makes $mismatches larger than 0.
mismatches=0

# search PROCESSES INTERLEAVINGS OPTIONS... -- PROGRAM ARGUMENTS...: a sweep with at most so many interleavings (0: any
# number). Its report is $work/sweep/report.json; the exit status is that of dampi-run.
search() {
    local processes=$1 most=$2 limit=()
    shift 2
    ((most == 0)) || limit=(--max-interleavings "$most")
    rm -rf "$work/sweep"
    echo "$dampi_run --buffering native -n $processes ${limit[*]} $*" >>"$log"
    timeout 3600 "$dampi_run" -q --buffering native -n "$processes" -o "$work/sweep" --sample 0 "${limit[@]}" "$@" </dev/null >>"$log" 2>&1
}
number_of() { sed -n "s/.*\"$1\": *\([0-9][0-9]*\).*/\1/p" "$work/sweep/report.json" | head -n 1; }
# Known, but not run because of --max-interleavings.
is_cut() { grep -q '"reason": *"max-interleavings"' "$work/sweep/report.json"; }

# count PROCESSES BOUND MOST PROGRAM ARGUMENTS...: sets `counted` to the number of interleavings; the bound may be none.
count() {
    local processes=$1 bound=$2 most=$3 status=0
    shift 3
    local options=()
    [[ $bound == none ]] || options=(--mixing-bound "$bound")
    search "$processes" "$most" "${options[@]}" -- "$@" || status=$?
    # 3: something is left out.
    [[ $status == 0 || $status == 3 ]] || fail "$* on $processes processes ended with status $status."
    counted=$(explored)
    ! is_cut || counted=">$counted"
}

# For matmul with 8 row blocks: 1 + the sum over the receives e of a_e * the product of (1 + a_(e+i)) for i = 1..K, where
# a_e is the number of alternatives of the e-th receive, the number of workers that still have a block less one.
expected_for_matmul() {
    awk -v workers="$(($1 - 1))" -v bound="$2" -v blocks=8 '
        function alternatives(e,   left) { left = blocks - e; return left <= 0 ? 0 : (left < workers ? left : workers) - 1 }
        BEGIN {
            if (bound == "none") bound = blocks
            total = 1
            for (e = 0; e < blocks; e++) {
                behind = alternatives(e)
                for (i = 1; i <= bound; i++) behind *= 1 + alternatives(e + i)
                total += behind
            }
            print total
        }'
}

mixing() {
    local table=$work/mixing.table bound processes expected cell tasks
    local bounds=(0 1 2 none)
    {
        echo "interleavings of matmul with 8 row blocks (! where it is not what the definition of the bound says)"
        printf '%-14s' "processes"
        printf '%16s' 2 3 4 5 6 7 8
        echo
    } >"$table"
    for bound in "${bounds[@]}"; do
        printf '%-14s' "$(bound_name "$bound")" >>"$table"
        for processes in 2 3 4 5 6 7 8; do
            expected=$(expected_for_matmul "$processes" "$bound")
            if [[ $bound == none && $full == no ]] && ((processes > 4)); then
                cell="($expected)"
            else
                count "$processes" "$bound" 0 "$work/programs/matmul" 8
                cell=$counted
                if [[ $counted != "$expected" ]]; then
                    cell="! $counted, not $expected"
                    mismatches=$((mismatches + 1))
                fi
            fi
            printf '%16s' "$cell" >>"$table"
        done
        echo >>"$table"
        printf '.' >&2
    done
    local most=500
    [[ $full == no ]] || most=5000
    {
        echo "(...): not run; see --full"
        echo
        echo "interleavings of the task pool, at most $most run; they depend on the first run"
        printf '%-14s' "processes"
        printf '%16s' 3 4 5 6 8
        echo
    } >>"$table"
    for bound in "${bounds[@]}"; do
        printf '%-14s' "$(bound_name "$bound")" >>"$table"
        for processes in 3 4 5 6 8; do
            tasks=1
            count "$processes" "$bound" "$most" "$work/programs/task_pool" "$tasks"
            printf '%16s' "$counted" >>"$table"
        done
        echo >>"$table"
        printf '.' >&2
    done
    printf '\n' >&2
}
bound_name() { if [[ $1 == none ]]; then echo "unbounded"; else echo "K = $1"; fi; }

# Each search for the seeded bugs: a name, and its options.
bug_searches=(
    "newest:--order newest"
    "depth first:--order dfs"
    "breadth first:--order bfs"
    "random:--order random"
    "mixing 0:--mixing-bound 0"
    "mixing 1:--mixing-bound 1"
    "mixing 2:--mixing-bound 2"
    "loops 1:--loop-bound 1"
    "loops 2:--loop-bound 2"
    "loops auto:--loop-bound auto"
)

bug_field() { sed -n "s/^ \* *$2: *//p" "$1" | head -n 1; }

bugs() {
    local found=$work/bugs.found table=$work/bugs.table entry name options source bug status kind
    : >"$found" # lines "search<tab>bug<tab>matches<tab>interleavings until it was found, or -"
    for source in "$root"/tests/bench/programs/bugs/*.c; do
        bug=$(basename "$source" .c)
        mpicc.mpich -O1 -g -o "$work/programs/bug-$bug" "$source" >>"$log" 2>&1 || fail "$source could not be built."
    done
    for entry in "${bug_searches[@]}"; do
        name=${entry%%:*}
        read -ra options <<<"${entry#*:}"
        for source in "$root"/tests/bench/programs/bugs/*.c; do
            bug=$(basename "$source" .c)
            kind=$(bug_field "$source" shows)
            status=0
            search "$(bug_field "$source" np)" "$bugs_budget" --stop-on-first "${options[@]}" -- "$work/programs/bug-$bug" ||
                status=$?
            case $status in
                0 | 3) printf '%s\t%s\t%s\t-\n' "$name" "$bug" "$(bug_field "$source" matches)" >>"$found" ;;
                1)
                    grep -q "\"kind\": *\"$kind\"" "$work/sweep/report.json" || fail "$bug shows something else than $kind."
                    printf '%s\t%s\t%s\t%s\n' "$name" "$bug" "$(bug_field "$source" matches)" "$(number_of first_interleaving)" >>"$found"
                    ;;
                *) fail "The search for $bug ended with status $status." ;;
            esac
        done
        printf '.' >&2
    done
    printf '\n' >&2
    awk -F '\t' -v budget="$bugs_budget" -f "$root/tests/bench/bugs.awk" "$found" >"$table"
}
