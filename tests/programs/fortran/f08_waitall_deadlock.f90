! DAMPI-TEST
!   np: 3
!   expect: deadlock
!   interleavings: 2
!   outcomes: {0#0<-1} {0#0<-2}
!   where: f08_waitall_deadlock.f90:@
! The wildcard is posted first and may take the message that the named receive needs: both wait in one call of
! MPI_Waitall, which the Fortran 2008 bindings pass on past the name MPI_Waitall of C. Twin: f08_wildcard.
program f08_waitall_deadlock
    use mpi_f08
    implicit none
    type(MPI_Comm) :: own
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: statuses(2)
    integer :: rank, any, one

    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, own)
    call MPI_Comm_rank(own, rank)
    if (rank == 0) then
        any = 0
        one = 0
        call MPI_Irecv(any, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, own, requests(1))
        call MPI_Irecv(one, 1, MPI_INTEGER, 1, 0, own, requests(2))
        ! Blocks for ever if the first receive got the message of rank 1.
        call MPI_Waitall(2, requests, statuses) !@
        if (any /= 2 .or. one /= 1 .or. statuses(1)%MPI_SOURCE /= 2) error stop 1
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, own)
    end if
    call MPI_Comm_free(own)
    call MPI_Finalize()
end program f08_waitall_deadlock
