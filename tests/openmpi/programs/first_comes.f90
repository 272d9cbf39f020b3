! If the message of rank 2 comes first, rank 0 waits for another one of rank 1 that never comes.
program first_comes
    use mpi
    implicit none
    integer :: rank, value, status(MPI_STATUS_SIZE), ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 0) then
        call MPI_Recv(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, status, ierror)
        call MPI_Recv(value, 1, MPI_INTEGER, merge(2, 1, status(MPI_SOURCE) == 1), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        if (status(MPI_SOURCE) == 2) then
            call MPI_Recv(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        end if
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)
    end if
    call MPI_Finalize(ierror)
end program
