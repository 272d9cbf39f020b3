! What mixed.c calls.
subroutine fortran_side(comm, number, key, own_key, datatype, status)
    use mpi
    implicit none
    integer :: comm, number, key, own_key, datatype, status(MPI_STATUS_SIZE), ierror, count
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_get_attr(comm, key, value, flag, ierror)
    if (.not. flag .or. value /= loc(number)) stop 1
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, own_key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(comm, own_key, 123456789012_MPI_ADDRESS_KIND, ierror)
    call MPI_Get_count(status, MPI_INTEGER, count, ierror)
    if (count /= 1 .or. status(MPI_TAG) /= 9) stop 2
    call MPI_Type_contiguous(3, MPI_DOUBLE_PRECISION, datatype, ierror)
    call MPI_Type_commit(datatype, ierror)
end subroutine
