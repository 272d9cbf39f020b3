# HMMER 3.3.2: searches protein sequences, with a master that hands out work to whoever asks (MPI_Probe of any source).
# Needs autoconf.

build_hmmer() {
    need autoconf
    fetch hmmer
    local source=$work/hmmer
    if [[ ! -f $source/src/Makefile ]]; then
        # Debian's tarball lacks a library that only a program needs which is not built here.
        mkdir -p "$source/libdivsufsort"
        touch "$source/libdivsufsort/Makefile.in" "$source/libdivsufsort/divsufsort.h.in"
        (cd "$source" && autoconf && CC=mpicc.mpich MPICC=mpicc.mpich CFLAGS="-g -O2" ./configure --enable-mpi) \
            >"$log" 2>&1 || fail "configure failed." "$log"
    fi
    compile "$source/src" hmmsearch "make -C ../easel libeasel.a && make -C impl && make libhmmer.a &&
        make hmmsearch LIBS='-lhmmer -leasel -lm -lpthread'"
}

results_hmmer() { grep -vE '^#' stdout; }

run_hmmer() {
    mkdir -p "$work/run/hmmer/input"
    cp "$work/hmmer/tutorial/globins4.hmm" "$work/run/hmmer/input"
    # The 45 globins that HMMER brings along, many times over.
    awk '{ line[NR] = $0 }
         END { for (i = 1; i <= 30; ++i) for (k = 1; k <= NR; ++k) { s = line[k]; sub(/^>/, ">" i "_", s); print s } }' \
        "$work/hmmer/tutorial/globins45.fa" >"$work/run/hmmer/input/globins.fa"
    local ranks
    for ranks in 2 4; do
        compare hmmer "$ranks" results_hmmer "$work/hmmer/src/hmmsearch" --mpi globins4.hmm globins.fa
    done
    verify hmmer 4 "$work/hmmer/src/hmmsearch" --mpi globins4.hmm globins.fa
}
