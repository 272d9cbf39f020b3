! DAMPI-TEST
!   np: 2
!   expect: argument/root
!   interleavings: 1
!   where: invalid_root.f90:@
! Fortran counts from 1, MPI from 0. MPI ends the program.
program invalid_root
    use mpi
    implicit none
    integer :: ierror, size, value

    call MPI_Init(ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    value = 1
    call MPI_Bcast(value, 1, MPI_INTEGER, size, MPI_COMM_WORLD, ierror) !@
    call MPI_Finalize(ierror)
end program
