! DAMPI-TEST
!   np: 3
!   expect: deadlock
!   interleavings: 2
!   outcomes: {1#0<-0} {1#0<-2}
! Figure 2.7 in Fortran: the wildcard may take what the named receive needs. Twin: fortran_deadlock_ok.
program fortran_deadlock
   use mpi
   implicit none
   integer :: rank, ierr, got, total, i
   integer :: status(MPI_STATUS_SIZE)
   call MPI_Init(ierr)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   got = -1
   total = 0
   if (rank == 1) then
      call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      total = got
      call MPI_Recv(got, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, status, ierr)
      if (total + got /= 2) stop 1
   else
      i = rank
      call MPI_Send(i, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
   end if
   call MPI_Finalize(ierr)
end program fortran_deadlock
