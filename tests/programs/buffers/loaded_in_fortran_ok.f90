! DAMPI-TEST
!   np: 2
!   expect: clean
!   options: --check-buffers
! Twin of loaded_in_fortran: it is used afterwards.
program loaded_in_fortran
    use mpi
    implicit none
    integer :: rank, error, request
    double precision :: total
    double precision, allocatable :: numbers(:)

    allocate(numbers(2000))
    numbers = 0
    total = 0
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (rank == 0) then
        call MPI_Irecv(numbers, 1000, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request, error)
        total = sum(numbers(1001:2000))
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        total = total + numbers(500)
    else
        call MPI_Send(numbers, 1000, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, error)
    end if
    if (total /= 0) print *, total
    call MPI_Finalize(error)
end program
