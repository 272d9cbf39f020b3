! DAMPI-TEST
!   np: 3
!   expect: clean
!   options: --ignore-brackets
!   interleavings: 2
!   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
! As brackets_ignored.c, from Fortran.
program fortran_brackets_ignored
    use mpi
    implicit none
    integer :: rank, ierr, got, i
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Pcontrol(1)
    if (rank == 0) then
        do i = 1, 2
            call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        end do
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Pcontrol(0)
    call MPI_Finalize(ierr)
end program fortran_brackets_ignored
