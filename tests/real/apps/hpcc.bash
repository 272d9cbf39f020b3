# HPC Challenge 1.5: HPL, PTRANS, RandomAccess (wildcard receives, polled), FFT, latency and bandwidth.
# Needs libblas-dev.

build_hpcc() {
    need libblas-dev
    fetch hpcc
    local source=$work/hpcc
    # Without HPCC's own bound on RandomAccess' time: on a busy machine that makes the number of messages depend on it.
    sed -e 's/^CC .*/CC = mpicc.mpich/' -e 's/^LINKER .*/LINKER = mpicc.mpich/' \
        -e 's/^CCFLAGS .*/CCFLAGS = $(HPL_DEFS) -DRA_TIME_BOUND_DISABLE -g -O2/' \
        -e 's/^MPdir .*/MPdir =/' -e 's/^MPinc .*/MPinc =/' -e 's/^MPlib .*/MPlib =/' -e 's/^LAlib .*/LAlib = -lblas/' \
        "$source/hpl/setup/Make.Linux_PII_FBLAS" >"$source/hpl/Make.real"
    compile "$source" hpcc "make arch=real"
}

results_hpcc() {
    # Trials of polling calls add theirs to the file: those have to be the same.
    grep -E '^(MPIRandomAccess(_LCG)?_(N|Errors|ExeUpdates)|PTRANS_(n|residual)|HPL_(N|RnormI|XnormI)|Success)=' \
        hpccoutf.txt | sort -u
}

# With the input file that HPCC brings along, and a smaller problem.
run_hpcc() {
    local ranks
    for ranks in 2 4; do
        mkdir -p "$work/run/hpcc/input"
        sed -e 's/^1000  /100  /' -e 's/^80  /16  /' -e "s/^2  *Ps/$((ranks / 2))  Ps/" "$work/hpcc/_hpccinf.txt" \
            >"$work/run/hpcc/input/hpccinf.txt"
        compare hpcc "$ranks" results_hpcc "$work/hpcc/hpcc"
    done
    verify hpcc 4 "$work/hpcc/hpcc"
}
