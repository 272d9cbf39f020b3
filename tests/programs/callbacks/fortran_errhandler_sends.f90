! DAMPI-TEST
!   np: 2
!   expect: argument/rank, incomplete
!   interleavings: 1
! As errhandler_sends in Fortran: the call comes from the bindings of MPICH, and is the program's nevertheless.
module errhandler_sends_handlers
    use mpi
    implicit none
contains
    subroutine tell(comm, code)
        integer :: comm, code, ierror
        call MPI_Send(code, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierror)
    end subroutine
end module

program fortran_errhandler_sends
    use mpi
    use errhandler_sends_handlers
    implicit none
    integer :: rank, code, twin, handler, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 0) then
        call MPI_Comm_dup(MPI_COMM_SELF, twin, ierror)
        call MPI_Comm_create_errhandler(tell, handler, ierror)
        call MPI_Comm_set_errhandler(twin, handler, ierror)
        call MPI_Errhandler_free(handler, ierror)
        call MPI_Send(rank, 1, MPI_INTEGER, 9, 0, twin, ierror)
        call MPI_Comm_free(twin, ierror)
    else
        call MPI_Recv(code, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        if (code == MPI_SUCCESS) error stop 1
    end if
    call MPI_Finalize(ierror)
end program
