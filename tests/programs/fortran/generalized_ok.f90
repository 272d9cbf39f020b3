! DAMPI-TEST
!   np: 2
!   expect: clean
!   interleavings: 1
!   central: refused MPI_File_close
! What Fortran has otherwise than C (see procedures_ok) of generalized requests, files and windows, checked by the program
! itself. With mpi_f08: f08_generalized_ok.
module generalized_callbacks
    use mpi
    implicit none
    integer :: copied = 0
contains
    subroutine query(state, status, ierror)
        integer(MPI_ADDRESS_KIND) :: state
        integer :: status(MPI_STATUS_SIZE), ierror
        call MPI_Status_set_elements(status, MPI_INTEGER, int(state), ierror)
        call MPI_Status_set_cancelled(status, .false., ierror)
        status(MPI_SOURCE) = MPI_UNDEFINED
        status(MPI_TAG) = MPI_UNDEFINED
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
        integer :: win, keyval, ierror
        integer(MPI_ADDRESS_KIND) :: state, value_in, value_out
        logical :: flag
        stop 97  ! windows cannot be copied
    end subroutine

    subroutine delete_attribute(win, keyval, value, state, ierror)
        integer :: win, keyval, ierror
        integer(MPI_ADDRESS_KIND) :: value, state
        if (value /= 12 .or. state /= 3) stop 98
        copied = copied + 1
        ierror = MPI_SUCCESS
    end subroutine

    subroutine handle_error(file, code)
        integer :: file, code
        if (file == MPI_FILE_NULL .or. code /= MPI_ERR_ARG) stop 99
        copied = copied + 10
    end subroutine
end module

program generalized_ok
    use mpi
    use generalized_callbacks
    implicit none
    integer :: rank, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call requests()
    call windows()
    call files()
    call MPI_Finalize(ierror)
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
        integer :: request(3), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 3), index, done, indices(3), count
        logical :: flag
        request = MPI_REQUEST_NULL
        call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request(2), ierror)
        call MPI_Cancel(request(2), ierror)
        call MPI_Grequest_complete(request(2), ierror)
        call MPI_Waitany(3, request, index, status, ierror)
        call MPI_Get_elements(status, MPI_INTEGER, count, ierror)
        call check(index == 2 .and. request(2) == MPI_REQUEST_NULL .and. count == 7, 1)
        call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request(1), ierror)
        call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request(3), ierror)
        call MPI_Grequest_complete(request(3), ierror)
        call MPI_Waitsome(3, request, done, indices, statuses, ierror)
        call MPI_Get_elements(statuses(:, 1), MPI_INTEGER, count, ierror)
        call check(done == 1 .and. indices(1) == 3 .and. count == 7, 2)
        call MPI_Grequest_complete(request(1), ierror)
        call MPI_Waitall(3, request, MPI_STATUSES_IGNORE, ierror)
        call check(all(request == MPI_REQUEST_NULL), 3)
        call MPI_Testany(3, request, index, flag, MPI_STATUS_IGNORE, ierror)
        call check(flag, 4)
        call MPI_Testsome(3, request, done, indices, MPI_STATUSES_IGNORE, ierror)
        call check(done == MPI_UNDEFINED, 5)
    end subroutine

    subroutine windows()
        integer, volatile :: memory(2), value
        integer :: win, model, keyval, group, length
        integer(MPI_ADDRESS_KIND) :: attribute
        character(len=MPI_MAX_OBJECT_NAME) :: name
        logical :: flag
        memory = [rank, -1]
        call MPI_Win_create(memory, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
        call MPI_Win_set_name(win, "window", ierror)
        call MPI_Win_get_name(win, name, length, ierror)
        call check(name == "window" .and. length == 6, 10)
        call MPI_Win_get_attr(win, MPI_WIN_SIZE, attribute, flag, ierror)
        call check(flag .and. attribute == 8, 11)
        call MPI_Win_get_attr(win, MPI_WIN_BASE, attribute, flag, ierror)
        call check(flag .and. attribute == loc(memory), 12)
        call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, attribute, flag, ierror)
        call check(flag .and. attribute == 4, 13)
        call MPI_Win_get_attr(win, MPI_WIN_MODEL, attribute, flag, ierror)
        model = int(attribute)
        call check(flag .and. (model == MPI_WIN_UNIFIED .or. model == MPI_WIN_SEPARATE), 14)
        call MPI_Win_create_keyval(copy_attribute, delete_attribute, keyval, 3_MPI_ADDRESS_KIND, ierror)
        call MPI_Win_set_attr(win, keyval, 12_MPI_ADDRESS_KIND, ierror)
        call MPI_Win_get_attr(win, keyval, attribute, flag, ierror)
        call check(flag .and. attribute == 12, 15)
        call MPI_Win_free_keyval(keyval, ierror)
        call MPI_Win_get_group(win, group, ierror)
        call MPI_Group_free(group, ierror)
        call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierror)
        call MPI_Put(rank, 1, MPI_INTEGER, 1 - rank, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
        call MPI_Win_fence(0, win, ierror)
        call check(memory(2) == 1 - rank, 16)
        call MPI_Get(value, 1, MPI_INTEGER, 1 - rank, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
        call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierror)
        call check(value == 1 - rank, 17)
        call MPI_Win_free(win, ierror)
        call check(win == MPI_WIN_NULL .and. copied == 1, 18)
    end subroutine

    subroutine files()
        integer :: file, handler, written(2), read(2), status(MPI_STATUS_SIZE), count, amode, etype, filetype
        integer(MPI_OFFSET_KIND) :: size, place
        character(len=MPI_MAX_DATAREP_STRING) :: representation
        character(len=20) :: name
        logical :: flag
        name = merge("fortran_0.data", "fortran_1.data", rank == 0)
        call MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &
                           file, ierror)
        call check(ierror == MPI_SUCCESS .and. file /= MPI_FILE_NULL, 20)
        call MPI_File_get_amode(file, amode, ierror)
        call check(amode == MPI_MODE_RDWR + MPI_MODE_CREATE + MPI_MODE_DELETE_ON_CLOSE, 21)
        call MPI_File_set_view(file, 4_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, "native", MPI_INFO_NULL, ierror)
        call MPI_File_get_view(file, place, etype, filetype, representation, ierror)
        call check(place == 4 .and. etype == MPI_INTEGER .and. representation == "native", 22)
        written = [rank, 5]
        call MPI_File_write_at(file, 1_MPI_OFFSET_KIND, written, 2, MPI_INTEGER, status, ierror)
        call MPI_Get_count(status, MPI_INTEGER, count, ierror)
        call MPI_File_get_size(file, size, ierror)
        call check(count == 2 .and. size == 16, 23)
        call MPI_File_seek(file, 1_MPI_OFFSET_KIND, MPI_SEEK_SET, ierror)
        call MPI_File_read(file, read, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
        call MPI_File_get_position(file, place, ierror)
        call check(all(read == written) .and. place == 3, 24)
        call MPI_File_set_atomicity(file, .true., ierror)
        call MPI_File_get_atomicity(file, flag, ierror)
        call check(flag, 25)
        call MPI_File_get_errhandler(MPI_FILE_NULL, handler, ierror)
        call check(handler == MPI_ERRORS_RETURN, 26)
        call MPI_File_create_errhandler(handle_error, handler, ierror)
        call MPI_File_set_errhandler(file, handler, ierror)
        call MPI_File_call_errhandler(file, MPI_ERR_ARG, ierror)
        call check(copied == 11, 27)
        call MPI_Errhandler_free(handler, ierror)
        call MPI_File_close(file, ierror)
        call check(file == MPI_FILE_NULL, 28)
    end subroutine
end program
