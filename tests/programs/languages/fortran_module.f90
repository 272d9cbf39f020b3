! DAMPI-TEST
!   np: 3
!   expect: clean
!   interleavings: 2
!   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
! A Fortran program with "use mpi": two wildcard receives and a reduction. The same with mpif.h: fortran_mpif.
program fortran_module
   use mpi
   implicit none
   integer :: rank, ierr, got, total, i
   integer :: status(MPI_STATUS_SIZE)
   call MPI_Init(ierr)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   total = 0
   if (rank == 0) then
      do i = 1, 2
         call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, status, ierr)
         if (got /= status(MPI_SOURCE)) stop 1
         total = total + got
      end do
      if (total /= 3) stop 1
   else
      call MPI_Send(rank, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, ierr)
   end if
   i = rank
   call MPI_Allreduce(i, got, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
   if (got /= 2) stop 1
   call MPI_Finalize(ierr)
end program fortran_module
