# The benchmark of the library that `dampi-scale --workarounds` makes: what collectives take in one call and in parts, in
# turns. Part of ./run, which says what $build, $work, $log, $root and $repetitions are. Makes $work/scale.table.

scale_elements=$((16 << 20))
scale_collectives=(MPI_Gather:8 MPI_Scatter:8 MPI_Allgather:20 MPI_Alltoall:32 MPI_Allreduce:8)

# scale_seconds COLLECTIVE BLOCKS LIBRARY: with that preloaded, if any.
scale_seconds() {
    local launcher=mpiexec.mpich
    [[ -z $3 ]] || launcher="env LD_PRELOAD=$3 mpiexec.mpich"
    "$build/scheduler/dampi-scale" -v --mpicc mpicc.mpich --mpiexec "$launcher" -n 4 --memory $(($2 * scale_elements)) \
        -o "$work/scale/measured.json" "$1" 2>&1 >>"$log" | sed -n "s/.* with $scale_elements elements.*: \([0-9.]*\) s$/\1/p"
}

# scale_library PARTS: made of bounds that ask for so many.
scale_library() {
    local each bounds=
    for each in "${scale_collectives[@]}"; do
        bounds+="${bounds:+,}{\"collective\": \"${each%:*}\", \"form\": \"n\", \"most\": $((scale_elements / $1)), \"processes\": 0, \"element_bytes\": 0}"
    done
    printf '{"dampi_scale": 1, "library": "", "measured": [], "bounds": [%s]}\n' "$bounds" >"$work/scale/$1.json"
    "$build/scheduler/dampi-scale" --mpicc mpicc.mpich --workarounds "$work/scale/$1.json" --library "$work/scale/$1.so" >>"$log" 2>&1 ||
        fail "The library of scale could not be made."
}

scale() {
    local each name blocks round
    rm -rf "$work/scale" && mkdir -p "$work/scale"
    scale_library 2
    scale_library 16
    {
        printf '%-16s %10s %26s %26s\n' "16 MiB of 4" "plain, s" "in 2 parts" "in 16 parts"
        for each in "${scale_collectives[@]}"; do
            name=${each%:*} blocks=${each#*:}
            for ((round = 0; round < repetitions; ++round)); do
                echo "$(scale_seconds "$name" "$blocks" "") $(scale_seconds "$name" "$blocks" "$work/scale/2.so") $(scale_seconds "$name" "$blocks" "$work/scale/16.so")"
            done >"$work/scale/$name"
            printf '%-16s %10s %26s %26s\n' "$name" "$(cut -d ' ' -f 1 "$work/scale/$name" | middle)" \
                "$(awk '{print $2 / $1}' "$work/scale/$name" | spread)" "$(awk '{print $3 / $1}' "$work/scale/$name" | spread)"
        done
    } >"$work/scale.table"
}

middle() { sort -g | awk '{all[NR] = $1} END {printf "%.2f", all[int((NR + 1) / 2)]}'; }
# Median, smallest and largest.
spread() { sort -g | awk '{all[NR] = $1} END {printf "%.2f (%.2f to %.2f)", all[int((NR + 1) / 2)], all[1], all[NR]}'; }
