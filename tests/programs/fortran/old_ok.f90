! DAMPI-TEST
!   np: 2
!   expect: clean
!   interleavings: 1
! What MPI-1 had and later versions have under other names, with mpif.h: addresses and extents are plain INTEGERs.
subroutine handle_error(comm, code)
    implicit none
    include "mpif.h"
    integer :: comm, code, error_class, ierror, handled
    common /calls/ handled
    call MPI_Error_class(code, error_class, ierror)
    if (comm /= MPI_COMM_WORLD .or. error_class /= MPI_ERR_RANK) stop 90
    handled = handled + 1
end subroutine

program old_ok
    implicit none
    include "mpif.h"
    integer :: rank, ierror, handled, structure, block, rows, got(6), sent(6), status(MPI_STATUS_SIZE), extent, lower, upper
    integer :: handler, before, lengths(2), places(2), types(2)
    integer, external :: handle_error
    common /calls/ handled
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    lengths = [1, 2]
    places = [0, 12]
    types = MPI_INTEGER
    call MPI_Type_struct(2, lengths, places, types, structure, ierror)
    call MPI_Type_extent(structure, extent, ierror)
    call MPI_Type_lb(structure, lower, ierror)
    call MPI_Type_ub(structure, upper, ierror)
    if (extent /= 20 .or. lower /= 0 .or. upper /= 20) stop 1
    call MPI_Type_hindexed(2, lengths, places, MPI_INTEGER, block, ierror)
    call MPI_Type_hvector(2, 1, 8, MPI_INTEGER, rows, ierror)
    call MPI_Type_extent(rows, extent, ierror)
    if (extent /= 12) stop 2
    call MPI_Type_commit(structure, ierror)
    call MPI_Type_commit(block, ierror)
    sent = [1, 2, 3, 4, 5, 6]
    got = 0
    if (rank == 0) then
        call MPI_Send(sent, 1, structure, 1, 0, MPI_COMM_WORLD, ierror)
    else
        call MPI_Recv(got, 1, block, 0, 0, MPI_COMM_WORLD, status, ierror)
        if (got(1) /= 1 .or. got(2) /= 0 .or. got(4) /= 4 .or. got(5) /= 5) stop 3
    end if
    call MPI_Type_free(structure, ierror)
    call MPI_Type_free(block, ierror)
    call MPI_Type_free(rows, ierror)
    handled = 0
    call MPI_Errhandler_get(MPI_COMM_WORLD, before, ierror)
    call MPI_Errhandler_create(handle_error, handler, ierror)
    call MPI_Errhandler_set(MPI_COMM_WORLD, handler, ierror)
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK, ierror)
    call MPI_Errhandler_set(MPI_COMM_WORLD, before, ierror)
    call MPI_Errhandler_free(handler, ierror)
    if (handled /= 1 .or. before /= MPI_ERRORS_ARE_FATAL) stop 4
    call MPI_Finalize(ierror)
end program
