! DAMPI-TEST
!   np: 3
!   expect: incomplete
!   interleavings: 2
! Two rounds of two messages each, of which the first is inside a bracket.
program fortran_brackets_leave_out
    use mpi
    implicit none
    integer :: rank, ierr
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Pcontrol(1)
    call one_round()
    call MPI_Pcontrol(0)
    call one_round()
    call MPI_Finalize(ierr)
contains
    subroutine one_round()
        integer :: got, i
        if (rank == 0) then
            do i = 1, 2
                call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
            end do
        else
            call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
        end if
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end subroutine one_round
end program fortran_brackets_leave_out
