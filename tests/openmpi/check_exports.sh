#!/bin/bash
# check_exports.sh NM OPEN_MPI_LIBRARY OUR_LIBRARY [OPEN_MPI_FORTRAN_LIBRARY OPEN_MPI_F08_LIBRARY OUR_FORTRAN_LIBRARY]
# Each MPI function and each predefined object that Open MPI's library exports is in ours, objects with the same size; but
# for the tools' interface (MPI_T), which is refused. Likewise each procedure of its Fortran library, and all that the one
# of the module mpi_f08 asks of these.
set -euo pipefail
nm=$1 theirs=$2 ours=$3
names() { "$nm" -D --defined-only "$1" | awk -v wanted="$2" '$3 ~ wanted { print $3 }' | sort -u; }
functions() { "$nm" -D --defined-only "$1" | awk '$2 ~ /[TWi]/ && $3 ~ /^P?MPI_/ { print $3 }' | sort -u; }
objects() { "$nm" -D --defined-only -S "$1" | awk -v wanted="$2" '$3 ~ /[BDV]/ && $4 ~ wanted { print $4, $2 }' | sort -u; }
status=0
missing=$(comm -23 <(functions "$theirs" | grep -vE '^P?MPI_T_|_F90$|_FN(_NULL)?$') <(functions "$ours"))
[[ -z $missing ]] || { echo "Open MPI has functions that we have not: $missing"; status=1; }
(($(functions "$theirs" | wc -l) > 600)) || { echo "$theirs is not Open MPI's library"; status=1; }
predefined='^ompi_(mpi_|request_null|message_n|group)'
other=$(comm -23 <(objects "$ours" "$predefined") <(objects "$theirs" "$predefined"))
[[ -z $other ]] || { echo "We have objects that Open MPI has not, or with other sizes: $other"; status=1; }
(($# > 3)) || exit $status

fortran=$4 module=$5 ours_in_fortran=$6
ours=$(names "$ours_in_fortran" .)
# Of libmpi.so.40 those of Fortran; not what is Open MPI's own.
procedures=$({ names "$fortran" . | grep -vE '^ompi_intercept_extra_state_t_class$|^ompi_test_fortran_constants_f$'
    names "$theirs" '^(mpi_|ompi_.*_fn_f$|P?MPI_[A-Z0-9_]+(_F90|_FN|_FN_NULL)$|MPI_F_)'; } | sort -u)
missing=$(comm -23 <(echo "$procedures") <(echo "$ours"))
[[ -z $missing ]] || { echo "Open MPI has procedures that we have not: $missing"; status=1; }
(($(wc -l <<<"$procedures") > 5000)) || { echo "$fortran is not Open MPI's library"; status=1; }
asked=$("$nm" -D --undefined-only "$module" | awk '$2 ~ /^(ompix?_|p?mpix?_)/ { print $2 }' | sort -u)
missing=$(comm -23 <(echo "$asked") <(echo "$ours"))
[[ -z $missing ]] || { echo "Its module asks for procedures that we have not: $missing"; status=1; }
(($(wc -l <<<"$asked") > 300)) || { echo "$module is not Open MPI's library"; status=1; }
exit $status
