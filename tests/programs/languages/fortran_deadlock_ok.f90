! DAMPI-TEST
!   np: 3
!   expect: clean
!   interleavings: 2
!   outcomes: {1#0<-0 1#1<-2} {1#0<-2 1#1<-0}
! Both receives take any source. Twin: fortran_deadlock.
program fortran_deadlock_ok
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
      call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, status, ierr)
      if (total + got /= 2) stop 1
   else
      i = rank
      call MPI_Send(i, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
   end if
   call MPI_Finalize(ierr)
end program fortran_deadlock_ok
