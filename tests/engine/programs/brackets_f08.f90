! Brackets of MPI_Pcontrol around epochs of rank 0, as the bindings of mpi_f08 hand them on.
program brackets_f08
    use mpi_f08
    implicit none
    integer :: rank, ierr
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call take()
    call MPI_Pcontrol(1)
    call take()
    call MPI_Pcontrol(5)
    call take()
    call MPI_Pcontrol(0)
    call MPI_Pcontrol(0)
    call take()
    call MPI_Pcontrol(3)
    call MPI_Finalize(ierr)

contains

    subroutine take()
        integer :: got
        if (rank == 1) call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
        if (rank == 0) then
            call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        end if
    end subroutine take

end program brackets_f08
