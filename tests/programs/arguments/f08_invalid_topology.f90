! DAMPI-TEST
!   np: 1
!   expect: argument/topology
!   interleavings: 1
!   where: f08_invalid_topology.f90:@
! A function that the layer only passes through returns an error to a Fortran 2008 program.
program f08_invalid_topology
    use mpi_f08
    implicit none
    integer :: ierror, dimensions

    call MPI_Init()
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Cartdim_get(MPI_COMM_WORLD, dimensions, ierror) !@
    if (ierror == MPI_SUCCESS) error stop
    call MPI_Finalize()
end program
