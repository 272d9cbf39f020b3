! DAMPI-TEST
!   np: 2
!   expect: sanitizer/leak
!   interleavings: 1
!   outcomes: {}
!   where: main_program.f90:@
! The main program loses what a pointer of its points to; what its other variables have is not lost. Twin:
! main_program_ok.
module lists
    implicit none
    type :: node
        integer :: value = 0
        type(node), pointer :: next => null()
    end type
contains
    subroutine push(head, value)
        type(node), pointer, intent(inout) :: head
        integer, intent(in) :: value
        type(node), pointer :: first
        allocate (first)
        first%value = value
        first%next => head
        head => first
    end subroutine

    subroutine make(numbers)
        integer, allocatable, intent(out) :: numbers(:)
        allocate (numbers(20))
        numbers = 1
    end subroutine
end module

program main_program
    use mpi
    use lists
    implicit none
    integer :: rank, ierr
    integer, allocatable :: own(:), made(:)
    integer, pointer :: lost(:)
    type(node), pointer :: head
    head => null()
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    allocate (own(10))
    own = rank
    call make(made)
    call push(head, rank)
    call push(head, size(made))
    allocate (lost(30)) !@
    lost = own(3)
    if (lost(7) /= rank .or. head%next%value /= rank) print *, 'wrong'
    nullify (lost)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
end program
