program empty
    use mpi
    integer :: code
    call mpi_init(code)
    call mpi_finalize(code)
end program empty
