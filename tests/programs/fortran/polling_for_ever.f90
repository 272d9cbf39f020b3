! DAMPI-TEST
!   np: 2
!   expect: livelock
! A loop polls for a message that nobody sends: as certain as in C. Twin: polling_ok.
program polling_for_ever
    use mpi
    implicit none
    integer :: rank, got, request, error
    logical :: done
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    done = .false.
    if (rank == 0) then
        call MPI_Irecv(got, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, error)
        do while (.not. done)
            call MPI_Test(request, done, MPI_STATUS_IGNORE, error)
        end do
    end if
    call MPI_Finalize(error)
end program polling_for_ever
