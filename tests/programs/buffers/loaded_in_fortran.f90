! DAMPI-TEST
!   np: 2
!   expect: buffer/read
!   options: --check-buffers
!   where: loaded_in_fortran.f90:@
! A number is used before it has come. Twin: loaded_in_fortran_ok.
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
        total = total + numbers(500) !@
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        total = total + numbers(500)
    else
        call MPI_Send(numbers, 1000, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, error)
    end if
    if (total /= 0) print *, total
    call MPI_Finalize(error)
end program
