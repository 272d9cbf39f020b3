! Fortran 2008: its bindings stand between the program and the wrappers.
! np: 3
! SITUATION 0: MPI_Recv(count 4, datatype MPI_INTEGER, source MPI_ANY_SOURCE, tag 5, comm MPI_COMM_WORLD) at receiving; receiving < fortran < main
! SITUATION 1: outside MPI after MPI_Barrier at fortran; computing < fortran < main
! SITUATION 2: MPI_Allreduce(count 1, datatype MPI_INTEGER, op MPI_MAX, comm MPI_COMM_WORLD) at fortran; fortran < main
program fortran
    use mpi_f08
    implicit none
    integer :: rank, value, greatest
    integer, volatile :: spinning = 1
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) call receiving()
    if (rank == 1) call computing()
    value = rank
    call MPI_Allreduce(value, greatest, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Finalize()
contains
    subroutine receiving()
        integer :: data(4)
        call MPI_Recv(data, 4, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end subroutine

    subroutine computing()
        do while (spinning /= 0)
            spinning = 1
        end do
    end subroutine
end program
