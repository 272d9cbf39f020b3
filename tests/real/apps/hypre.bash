# hypre 2.26: algebraic multigrid on a 3D Poisson problem, and a semicoarsening multigrid solver.

build_hypre() {
    fetch hypre
    local source=$work/hypre/src
    [[ -f $source/config/Makefile.config ]] ||
        (cd "$source" && CC=mpicc.mpich CXX=mpicxx.mpich ./configure --disable-fortran CFLAGS="-g -O1") \
            >"$log" 2>&1 || fail "configure failed." "$log"
    compile "$source/test" ij "make -C .. -j2 && make ij"
    compile "$source/test" struct "make struct"
}

results_hypre() { grep -E '^(Iterations|Final)' stdout; }

run_hypre() {
    local ranks program size
    for program in struct ij; do
        size=$([[ $program == struct ]] && echo 10 || echo 12)
        for ranks in 2 4; do
            set -- -n "$size" "$size" "$size" -P 2 $((ranks / 2)) 1 -solver 1
            compare "hypre-$program" "$ranks" results_hypre "$work/hypre/src/test/$program" "$@"
        done
        verify "hypre-$program" 4 "$work/hypre/src/test/$program" "$@"
    done
}
