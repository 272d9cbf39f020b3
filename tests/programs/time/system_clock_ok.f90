! DAMPI-TEST
!   np: 2
!   options: --explore-polls 0
!   expect: incomplete
!   interleavings: 1
! Fortran's clock and sleep are those of the C library: a time-out of an hour, and a sleep of three, last for no time.
program system_clock_ok
    use mpi
    implicit none
    integer :: rank, error, value
    integer(8) :: begin, now, rate
    logical :: flag
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    value = 0
    if (rank == 0) then
        call system_clock(begin, rate)
        do
            call MPI_Iprobe(1, 0, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, error)
            if (flag) stop 1
            call system_clock(now)
            if (now - begin > 3600 * rate) exit
        end do
        call MPI_Recv(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call system_clock(now)
        if (now - begin < 179 * 60 * rate) stop 2
    else
        call sleep(3 * 3600)
        call MPI_Send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)
    end if
    call MPI_Finalize(error)
end program
