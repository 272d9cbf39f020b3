! DAMPI-TEST
!   np: 3
!   expect: clean
!   interleavings: 8
!   outcomes: {0#0<-1 0#1<-2 0#2<-1 0#3<-2 2#0<-0 2#1<-1} {0#0<-1 0#1<-2 0#2<-1 0#3<-2 2#0<-1 2#1<-0}
!   {0#0<-1 0#1<-2 0#2<-2 0#3<-1 2#0<-0 2#1<-1} {0#0<-1 0#1<-2 0#2<-2 0#3<-1 2#0<-1 2#1<-0}
!   {0#0<-2 0#1<-1 0#2<-1 0#3<-2 2#0<-0 2#1<-1} {0#0<-2 0#1<-1 0#2<-1 0#3<-2 2#0<-1 2#1<-0}
!   {0#0<-2 0#1<-1 0#2<-2 0#3<-1 2#0<-0 2#1<-1} {0#0<-2 0#1<-1 0#2<-2 0#3<-1 2#0<-1 2#1<-0}
! Fortran 2008 bindings, whose procedures without a choice buffer (wait, probe, barrier, communicators) reach the C
! library by another way than the rest. The barrier is what keeps the second pair of messages from the first pair
! of receives; in the communicator the ranks are turned round. Twin: f08_waitall_deadlock.
program f08_wildcard
    use mpi_f08
    implicit none
    type(MPI_Comm) :: turned
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, statuses(2)
    integer :: rank, turned_rank, i, length, values(4), got(2)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)

    if (rank == 0) then
        call MPI_Irecv(got(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, requests(1))
        call MPI_Wait(requests(1), status)
        call check(status%MPI_SOURCE == got(1) .and. status%MPI_TAG == 5)
        call MPI_Irecv(got(2), 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1))
        call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
        call check(got(1) + got(2) == 3 .and. requests(1) == MPI_REQUEST_NULL)
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD)
    end if

    call MPI_Barrier(MPI_COMM_WORLD)

    if (rank == 0) then
        do i = 1, 2
            call MPI_Irecv(got(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, requests(i))
        end do
        call MPI_Waitall(2, requests, statuses)
        do i = 1, 2
            call MPI_Get_count(statuses(i), MPI_INTEGER, length)
            call check(statuses(i)%MPI_SOURCE == got(i) - 10 .and. statuses(i)%MPI_TAG == 5 .and. length == 1)
        end do
        call check(got(1) + got(2) == 23)
    else
        call MPI_Isend(rank + 10, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, requests(1))
        call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE)
    end if

    call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, turned)
    call MPI_Comm_rank(turned, turned_rank)
    call check(turned_rank == 2 - rank)
    values = turned_rank
    if (turned_rank == 0) then
        do i = 1, 2
            call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, turned, status)
            call MPI_Get_count(status, MPI_INTEGER, length)
            call check(length == status%MPI_SOURCE .and. status%MPI_TAG == 10 * length)
            call MPI_Recv(values, length, MPI_INTEGER, status%MPI_SOURCE, status%MPI_TAG, turned, MPI_STATUS_IGNORE)
            call check(all(values(1:length) == length))
        end do
    else
        call MPI_Send(values, turned_rank, MPI_INTEGER, 0, 10 * turned_rank, turned)
    end if
    call MPI_Comm_free(turned)
    call check(turned == MPI_COMM_NULL)

    call MPI_Finalize()

contains

    subroutine check(holds)
        logical, intent(in) :: holds
        if (.not. holds) error stop 1
    end subroutine check

end program f08_wildcard
