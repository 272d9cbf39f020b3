! DAMPI-TEST
!   np: 2
!   expect: clean
!   interleavings: 1
!   central: refused MPI_File_close
! As generalized_ok with the module mpi_f08, and memory by pointers of C.
module f08_generalized_callbacks
    use mpi_f08
    implicit none
    integer :: called = 0
contains
    subroutine query(state, status, ierror)
        integer(MPI_ADDRESS_KIND) :: state
        type(MPI_Status) :: status
        integer :: ierror
        call MPI_Status_set_elements(status, MPI_INTEGER, int(state), ierror)
        call MPI_Status_set_cancelled(status, .false., ierror)
        status%MPI_SOURCE = MPI_UNDEFINED
        status%MPI_TAG = MPI_UNDEFINED
        ierror = MPI_SUCCESS
    end subroutine

    subroutine release(state, ierror)
        integer(MPI_ADDRESS_KIND) :: state
        integer :: ierror
        if (state /= 7) stop 95
        ierror = MPI_SUCCESS
    end subroutine

    subroutine cancel(state, complete, ierror)
        integer(MPI_ADDRESS_KIND) :: state
        logical :: complete
        integer :: ierror
        if (state /= 7 .or. complete) stop 96
        ierror = MPI_SUCCESS
    end subroutine

    subroutine copy_attribute(win, keyval, state, value_in, value_out, flag, ierror)
        type(MPI_Win) :: win
        integer :: keyval, ierror
        integer(MPI_ADDRESS_KIND) :: state, value_in, value_out
        logical :: flag
        stop 97  ! windows cannot be copied
    end subroutine

    subroutine delete_attribute(win, keyval, value, state, ierror)
        type(MPI_Win) :: win
        integer :: keyval, ierror
        integer(MPI_ADDRESS_KIND) :: value, state
        if (value /= 12 .or. state /= 3) stop 98
        called = called + 1
        ierror = MPI_SUCCESS
    end subroutine

    subroutine handle_error(file, code)
        type(MPI_File) :: file
        integer :: code, error_class
        call MPI_Error_class(code, error_class)
        if (file == MPI_FILE_NULL .or. error_class /= MPI_ERR_ARG) stop 99
        called = called + 10
    end subroutine
end module

program f08_generalized_ok
    use mpi_f08
    use, intrinsic :: iso_c_binding
    use f08_generalized_callbacks
    implicit none
    integer :: rank
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call requests()
    call memory()
    call windows()
    call files()
    call MPI_Finalize()
contains
    subroutine check(holds, number)
        logical, intent(in) :: holds
        integer, intent(in) :: number
        if (.not. holds) then
            print *, "wrong: ", number
            stop 1
        end if
    end subroutine

    subroutine requests()
        type(MPI_Request) :: request
        type(MPI_Status) :: status
        integer :: count
        call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request)
        call MPI_Cancel(request)
        call MPI_Grequest_complete(request)
        call MPI_Wait(request, status)
        call MPI_Get_elements(status, MPI_INTEGER, count)
        call check(request == MPI_REQUEST_NULL .and. count == 7, 1)
    end subroutine

    subroutine memory()
        type(c_ptr) :: place
        integer, pointer :: values(:)
        call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, place)
        call c_f_pointer(place, values, [20])
        values = 3
        call check(sum(values) == 60, 2)
        call MPI_Free_mem(values)
    end subroutine

    subroutine windows()
        type(MPI_Win) :: win
        type(c_ptr) :: place
        integer, pointer, volatile :: values(:)
        integer :: keyval
        integer(MPI_ADDRESS_KIND) :: attribute
        logical :: flag
        call MPI_Win_allocate(8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, place, win)
        call c_f_pointer(place, values, [2])
        values = [rank, -1]
        call MPI_Win_get_attr(win, MPI_WIN_SIZE, attribute, flag)
        call check(flag .and. attribute == 8, 11)
        call MPI_Win_create_keyval(copy_attribute, delete_attribute, keyval, 3_MPI_ADDRESS_KIND)
        call MPI_Win_set_attr(win, keyval, 12_MPI_ADDRESS_KIND)
        call MPI_Win_get_attr(win, keyval, attribute, flag)
        call check(flag .and. attribute == 12, 15)
        call MPI_Win_free_keyval(keyval)
        call MPI_Win_fence(0, win)
        call MPI_Put(rank, 1, MPI_INTEGER, 1 - rank, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
        call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
        call check(values(2) == 1 - rank, 16)
        call MPI_Win_free(win)
        call check(win == MPI_WIN_NULL .and. called == 1, 18)
    end subroutine

    subroutine files()
        type(MPI_File) :: file
        type(MPI_Errhandler) :: handler
        type(MPI_Datatype) :: etype, filetype
        type(MPI_Status) :: status
        integer :: written(2), read(2), count
        integer(MPI_OFFSET_KIND) :: place
        character(len=MPI_MAX_DATAREP_STRING) :: representation
        character(len=20) :: name
        logical :: flag
        name = merge("f08_0.data", "f08_1.data", rank == 0)
        call MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &
                           file)
        call MPI_File_set_view(file, 4_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, "native", MPI_INFO_NULL)
        call MPI_File_get_view(file, place, etype, filetype, representation)
        call check(place == 4 .and. etype == MPI_INTEGER .and. representation == "native", 22)
        written = [rank, 5]
        call MPI_File_write_at(file, 1_MPI_OFFSET_KIND, written, 2, MPI_INTEGER, status)
        call MPI_Get_count(status, MPI_INTEGER, count)
        call check(count == 2, 23)
        call MPI_File_seek(file, 1_MPI_OFFSET_KIND, MPI_SEEK_SET)
        call MPI_File_read(file, read, 2, MPI_INTEGER, MPI_STATUS_IGNORE)
        call check(all(read == written), 24)
        call MPI_File_set_atomicity(file, .true.)
        call MPI_File_get_atomicity(file, flag)
        call check(flag, 25)
        call MPI_File_create_errhandler(handle_error, handler)
        call MPI_File_set_errhandler(file, handler)
        call MPI_File_call_errhandler(file, MPI_ERR_ARG)
        call check(called == 11, 27)
        call MPI_Errhandler_free(handler)
        call MPI_File_close(file)
        call check(file == MPI_FILE_NULL, 28)
    end subroutine
end program
