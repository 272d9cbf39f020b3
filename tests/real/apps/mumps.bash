# MUMPS 5.5.1: a distributed sparse direct solver, whose ranks take what comes (wildcard probes and receives, polled),
# on a 2D convection-diffusion problem.
# Needs gfortran, libblas-dev and liblapack-dev. ScaLAPACK is only unpacked: Debian's package of it brings Open MPI along.

build_mumps() {
    need gfortran libblas-dev liblapack-dev
    unpack libscalapack-mpich-dev libscalapack-mpich2.2
    fetch mumps
    local source=$work/mumps libraries
    libraries=$work/unpacked/usr/lib/$(gcc -print-multiarch)
    # The settings that MUMPS brings along for a machine it does not know, and ours.
    cat "$source/Make.inc/Makefile.inc.generic" - >"$source/Makefile.inc" <<SETTINGS
CC = mpicc.mpich
FC = mpifort.mpich
FL = mpifort.mpich
INCPAR =
LIBPAR = -L$libraries -Wl,-rpath,$libraries -lscalapack-mpich -llapack
OPTF = -g -O1 -fallow-argument-mismatch
OPTC = -g -O1
OPTL = -g -O1
SETTINGS
    compile "$source/examples" dsimpletest "make -C .. d"
}

# The solution; the last digits depend on the order in which contributions came.
results_mumps() {
    sed -n '/Solution is/,$p' stdout | sed 's/.*Solution is//' | tr -s ' ' '\n' | awk 'NF { printf "%.9g\n", $1 }'
}

run_mumps() {
    mkdir -p "$work/run/mumps/input"
    # N, the number of entries, row, column and value of each, the right-hand side.
    awk -v side=20 'BEGIN {
        for (y = 0; y < side; ++y) {
            for (x = 0; x < side; ++x) {
                k = y * side + x + 1
                entry[count++] = k " " k " 4.1"
                if (x > 0) entry[count++] = k " " k - 1 " -1.0"
                if (x < side - 1) entry[count++] = k " " k + 1 " -1.2"
                if (y > 0) entry[count++] = k " " k - side " -1.0"
                if (y < side - 1) entry[count++] = k " " k + side " -1.0"
            }
        }
        print side * side
        print count
        for (i = 0; i < count; ++i) print entry[i]
        for (k = 1; k <= side * side; ++k) print k % 7 + 0.5
    }' >"$work/run/mumps/input/stdin"
    local ranks
    for ranks in 2 4; do
        compare mumps "$ranks" results_mumps "$work/mumps/examples/dsimpletest"
    done
    verify mumps 4 "$work/mumps/examples/dsimpletest"
}
