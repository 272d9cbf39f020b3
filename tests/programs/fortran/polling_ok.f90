! DAMPI-TEST
!   np: 2
!   expect: clean
! A loop that polls comes to its end. That gfortran's runtime handles signals, to say where a program dies, does not keep
! it from being known what the loop does. Twin: polling_for_ever.
program polling_ok
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
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)
    end if
    call MPI_Finalize(error)
end program polling_ok
