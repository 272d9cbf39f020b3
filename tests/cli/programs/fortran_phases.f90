! Four phases in which rank 0 takes a message of each other rank by wildcard and adds up, and all say something: all
! outcomes of a phase lead to the same state. With the argument "unit" each rank writes to a unit that nobody has opened.
program fortran_phases
  use mpi
  implicit none
  integer, parameter :: phases = 4
  integer :: ierr, rank, processes, phase, i, got, total
  character(len=16) :: word
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, processes, ierr)
  call get_command_argument(1, word)
  if (word == 'unit') write (10 + rank, *) 'said'
  total = 0
  do phase = 1, phases
    if (rank == 0) then
      do i = 1, processes - 1
        call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        total = total + got
        got = 0
      end do
    else
      call MPI_Send(rank, 1, MPI_INTEGER, 0, phase, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  write (*, '(a,i0,a,i0)') 'rank ', rank, ' has ', total
  call MPI_Finalize(ierr)
end program
