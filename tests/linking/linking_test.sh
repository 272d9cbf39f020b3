#!/bin/bash
# linking_test.sh DAMPI_RUN FOLDER_OF_DAMPI_CC MPICC SOURCES WORK
# Programs with other PMPI tools, and programs that are linked with the layer: verdicts as without these, and what the
# programs and tools print is what they print natively. Prints what is wrong; exit status 1 then.
set -uo pipefail

dampi_run=$1 commands=$2 mpicc=$3 sources=$4 work=$5
mpiexec=$(command -v mpiexec.mpich || command -v mpiexec)
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
wrong=0

complain() {
    echo "WRONG: $1" >&2
    wrong=1
}

build() {
    "$@" -g -O1 >build.log 2>&1 || { cat build.log; complain "cannot build: $*"; }
}

# verify NAME STATUS EXPECTED-TEXT [OPTIONS AND PROGRAM...]: dampi-run with 3 ranks ends with the status and says that.
verify() {
    local name=$1 expected=$2 text=$3 status=0
    shift 3
    rm -rf out
    "$dampi_run" -n 3 -o out --buffering native --progress none "$@" >report 2>&1 || status=$?
    if ((status != expected)) || ! grep -qE -- "$text" report; then
        cat report
        complain "$name: exit status $status, expected $expected and '$text'"
    fi
}

# same NAME NATIVE-COMMAND...: the program prints in its first interleaving what it prints natively. After verify.
same() {
    local name=$1
    shift
    "$@" >native 2>&1 || complain "$name fails natively"
    cat out/output/*1.out out/output/*1.err 2>/dev/null | sort >under
    sort native | diff - under || complain "$name prints something else than natively"
}

all_orders="clean .complete: 2 interleavings"
place='two_senders.c:'"$(grep -n 'MPI_Recv(&number' "$sources/two_senders.c" | cut -d: -f1)"

# ---- other tools -------------------------------------------------------------------------------------------
build "$mpicc" -o plain "$sources/two_senders.c"
for next in PMPI DLSYM; do
    flag=-DBY_$next
    build "$mpicc" -shared -fPIC "$flag" -o "libtool_$next.so" "$sources/counting_tool.c"
    build "$mpicc" -o "linked_$next" "$sources/two_senders.c" -L. "-ltool_$next" "-Wl,-rpath,$work"
    build "$mpicc" "$flag" -o "inside_$next" "$sources/two_senders.c" "$sources/counting_tool.c"
    for way in linked inside; do
        verify "tool $way ($next)" 0 "$all_orders" --keep-output all "./${way}_$next"
        same "tool $way ($next)" "$mpiexec" -n 3 "./${way}_$next"
        grep -q '^tool: 2 sends, 4 receives, 3 barriers' under || complain "the tool that is $way ($next) has not counted"
        verify "fault with a tool $way ($next)" 1 "assertion" "./${way}_$next" fault
    done
    tool="$work/libtool_$next.so"
    verify "tool preloaded ($next)" 0 "$all_orders" --keep-output all --env "LD_PRELOAD=$tool" ./plain
    same "tool preloaded ($next)" env "LD_PRELOAD=$tool" "$mpiexec" -n 3 ./plain
    verify "two tools ($next)" 0 "$all_orders" --keep-output all --env "LD_PRELOAD=$tool" ./linked_PMPI
    same "two tools ($next)" env "LD_PRELOAD=$tool" "$mpiexec" -n 3 ./linked_PMPI
    verify "places behind a tool ($next)" 1 "$place" --env "LD_PRELOAD=$tool" ./plain fault
done
verify "places behind a linked tool" 1 "$place" ./linked_PMPI fault
verify "the MPI library preloaded" 0 "$all_orders" --env LD_PRELOAD=libmpich.so.12 ./plain

build "$mpicc" -o plugin_user "$sources/plugin_user.c" -ldl
build "$mpicc" -shared -fPIC -o plugin.so -DPLUGIN "$sources/plugin_user.c"
verify "a library loaded at run time" 0 "$all_orders" ./plugin_user "$work/plugin.so"
verify "a library that looks among its own first" 3 "RTLD_DEEPBIND" ./plugin_user "$work/plugin.so" deepbind

# ---- linked with the layer ---------------------------------------------------------------------------------
build "$commands/dampi-cc" -o with_layer "$sources/two_senders.c"
build "$commands/dampi-cc" -c -o two_senders.o "$sources/two_senders.c"
build "$commands/dampi-cc" --sanitize=address,undefined -o sanitized "$sources/two_senders.c"
build "$commands/dampi-cc" --static-mpi -o static two_senders.o -lm
for program in with_layer static; do
    verify "$program" 0 "$all_orders" --keep-output all "./$program"
    same "$program" "$mpiexec" -n 3 "./$program"
    verify "fault in $program" 1 "$place" "./$program" fault
    verify "$program, launched by mpiexec" 0 "$all_orders" --launcher "$mpiexec -n {n}" "./$program"
done
verify "sanitized" 0 "$all_orders" --keep-output all ./sanitized
readelf -d with_layer | grep -q 'NEEDED.*libdampi' || complain "dampi-cc does not link the layer"
readelf -d static | grep -q 'NEEDED.*\(libmpich\|libdampi\)' && complain "--static-mpi links MPI dynamically"

build "$mpicc" -o static_alone two_senders.o -l:libmpich.a -lhwloc -lucp -lucs -lpthread -lm -Wl,--as-needed
verify "static MPI without the layer" 2 "not the layer .dampi-cc" ./static_alone
build "$commands/dampi-cc" --static-mpi -o other_build two_senders.o
at=$(grep -obUa -P 'dampi\0' other_build | head -n 1 | cut -d: -f1)
printf '\0\0\0\0' | dd of=other_build bs=1 seek=$((at + 8)) conv=notrunc status=none
verify "the layer of another build" 2 "another build of dampi" ./other_build
"$commands/dampi-cc" --static-mpi -o static_tool two_senders.o "$sources/counting_tool.c" >build.log 2>&1 &&
    complain "another tool in a program with static MPI is not refused"
grep -q "multiple definition" build.log || complain "the linker says something else of a tool with static MPI"

# ---- no MPI program ----------------------------------------------------------------------------------------
verify "no MPI" 2 "no rank has called MPI: this is not an MPI program" /bin/true
verify "no MPI and a failure" 2 "ended with status 2 and no rank has called MPI: .*no_such_file" /bin/ls /no_such_file
exit $wrong
