#!/bin/bash
# check_exports.sh NM OPEN_MPI_LIBRARY OUR_LIBRARY
# Each MPI function and each predefined object that Open MPI's library exports is in ours, objects with the same size; but
# for the tools' interface (MPI_T), which is refused, and what only Fortran's bindings use.
set -euo pipefail
nm=$1 theirs=$2 ours=$3
functions() { "$nm" -D --defined-only "$1" | awk '$2 ~ /[TWi]/ && $3 ~ /^P?MPI_/ { print $3 }' | sort -u; }
objects() { "$nm" -D --defined-only -S "$1" | awk '$3 ~ /[BDV]/ && $4 ~ /^ompi_(mpi_|request_null|message_n|group)/ { print $4, $2 }' | sort -u; }
status=0
missing=$(comm -23 <(functions "$theirs" | grep -vE '^P?MPI_T_|_F90$|_FN(_NULL)?$') <(functions "$ours"))
[[ -z $missing ]] || { echo "Open MPI has functions that we have not: $missing"; status=1; }
(($(functions "$theirs" | wc -l) > 600)) || { echo "$theirs is not Open MPI's library"; status=1; }
other=$(comm -23 <(objects "$ours") <(objects "$theirs"))
[[ -z $other ]] || { echo "We have objects that Open MPI has not, or with other sizes: $other"; status=1; }
exit $status
