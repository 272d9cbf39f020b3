# FFTW 3.3.10: its own check of the transforms over MPI, in one, two and three dimensions (transposes by
# MPI_Alltoall and by MPI_Sendrecv).

build_fftw3() {
    fetch fftw3
    local source=$work/fftw3
    [[ -f $source/Makefile ]] ||
        (cd "$source" && ./configure --enable-mpi --disable-fortran --disable-doc MPICC=mpicc.mpich CFLAGS="-g -O1") \
            >"$log" 2>&1 || fail "configure failed." "$log"
    compile "$source/mpi" mpi-bench "make -C .. -j2"
}

results_fftw3() { cat stdout; }

# Plans are estimated, not measured: otherwise the messages would depend on the machine's mood.
run_fftw3() {
    local ranks size
    # Out of place and in place, forwards and backwards; real transforms (r) exist from two dimensions on.
    local -a problems=(ofc1024 ibc1024)
    for size in 32x30 12x10x9; do
        problems+=("ofc$size" "ibc$size" "ofr$size" "ibr$size")
    done
    for ranks in 2 4; do
        compare fftw3 "$ranks" results_fftw3 "$work/fftw3/mpi/mpi-bench" -v1 -oestimate --verify-rounds=1 \
            "${problems[@]/#/--verify=}"
    done
    verify fftw3 4 "$work/fftw3/mpi/mpi-bench" -v1 -oestimate --verify-rounds=1 "${problems[@]/#/--verify=}"
}
