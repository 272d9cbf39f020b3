! DAMPI-TEST
!   np: 3
!   expect: clean
!   interleavings: 1
! As procedures_ok with the module mpi_f08: handles and statuses of their own types, and error codes that are left out.
module f08_procedures_callbacks
    use mpi_f08
    use, intrinsic :: iso_c_binding
    implicit none
    integer :: copied = 0, deleted = 0, handled = 0
contains
    subroutine add_and_count(in, inout, length, datatype)
        type(c_ptr), value :: in, inout
        integer :: length
        type(MPI_Datatype) :: datatype
        integer, pointer :: first(:), second(:)
        if (datatype /= MPI_INTEGER) stop 90
        call c_f_pointer(in, first, [length])
        call c_f_pointer(inout, second, [length])
        second = first + second + 1
    end subroutine

    subroutine copy_attribute(comm, keyval, state, value_in, value_out, flag, ierror)
        type(MPI_Comm) :: comm
        integer :: keyval, ierror
        integer(MPI_ADDRESS_KIND) :: state, value_in, value_out
        logical :: flag
        if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) stop 91
        copied = copied + 1
        value_out = value_in + state
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete_attribute(comm, keyval, value, state, ierror)
        type(MPI_Comm) :: comm
        integer :: keyval, ierror
        integer(MPI_ADDRESS_KIND) :: value, state
        if (state /= 1000 .or. comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) stop 92
        deleted = deleted + int(value)
        ierror = MPI_SUCCESS
    end subroutine

    subroutine handle_error(comm, code)
        type(MPI_Comm) :: comm
        integer :: code, error_class
        call MPI_Error_class(code, error_class)
        if (comm /= MPI_COMM_WORLD .or. error_class /= MPI_ERR_RANK) stop 94
        handled = handled + 1
    end subroutine
end module

program f08_procedures_ok
    use mpi_f08
    use f08_procedures_callbacks
    implicit none
    integer :: rank, size
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    call messages()
    call completion()
    call strings()
    call communicators()
    call topologies()
    call collectives()
    call types()
    call attributes()
    call other_callbacks()
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

    subroutine messages()
        type(MPI_Status) :: status
        type(MPI_Message) :: message
        integer :: count, left, right, given, got, buffer(100), position, code
        character(len=5) :: text
        double precision :: pair(2)
        logical :: flag
        right = mod(rank + 1, size)
        left = mod(rank + size - 1, size)
        given = rank
        call MPI_Sendrecv(given, 1, MPI_INTEGER, right, 4, got, 1, MPI_INTEGER, left, 4, MPI_COMM_WORLD, status, code)
        call MPI_Get_count(status, MPI_INTEGER, count)
        call check(code == MPI_SUCCESS .and. got == left .and. count == 1, 1)
        call check(status%MPI_SOURCE == left .and. status%MPI_TAG == 4, 2)
        call MPI_Sendrecv_replace(got, 1, MPI_INTEGER, left, 5, right, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        call check(got == rank, 3)
        call MPI_Sendrecv(given, 1, MPI_INTEGER, MPI_PROC_NULL, 4, got, 1, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, &
                          MPI_COMM_WORLD, status)
        call check(status%MPI_SOURCE == MPI_PROC_NULL .and. status%MPI_TAG == MPI_ANY_TAG, 4)
        if (rank == 0) then
            text = "a b"
            call MPI_Ssend(text, 5, MPI_CHARACTER, 1, 6, MPI_COMM_WORLD)
            pair = [1.5d0, 2.5d0]
            call MPI_Send(pair, 2, MPI_DOUBLE_PRECISION, 1, 7, MPI_COMM_WORLD)
        else if (rank == 1) then
            call MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, status)
            call MPI_Get_count(status, MPI_CHARACTER, count)
            call check(count == 5 .and. status%MPI_TAG == 6, 6)
            call MPI_Recv(text, 5, MPI_CHARACTER, 0, 6, MPI_COMM_WORLD, status)
            call check(text == "a b", 7)
            call MPI_Mprobe(0, 7, MPI_COMM_WORLD, message, status)
            call check(message /= MPI_MESSAGE_NULL, 8)
            call MPI_Mrecv(pair, 2, MPI_DOUBLE_PRECISION, message, status)
            call check(message == MPI_MESSAGE_NULL .and. pair(2) == 2.5d0, 9)
        end if
        call MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, flag, status)
        call check(flag .and. status%MPI_SOURCE == MPI_PROC_NULL, 10)
        position = 0
        call MPI_Pack(rank, 1, MPI_INTEGER, buffer, 400, position, MPI_COMM_WORLD)
        position = 0
        call MPI_Unpack(buffer, 400, position, got, 1, MPI_INTEGER, MPI_COMM_WORLD)
        call check(got == rank .and. position == 4, 11)
        call MPI_Initialized(flag)
        call check(flag, 12)
        call MPI_Finalized(flag)
        call check(.not. flag, 13)
        call MPI_Is_thread_main(flag)
        call check(flag, 14)
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine

    subroutine completion()
        type(MPI_Request) :: requests(3)
        type(MPI_Status) :: statuses(3), status
        integer, asynchronous :: values(3)
        integer :: i, index, done, indices(3)
        logical :: flag
        if (rank == 0) then
            do i = 1, 3
                call MPI_Irecv(values(i), 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, requests(i))
            end do
            call MPI_Barrier(MPI_COMM_WORLD)
            call MPI_Waitall(3, requests, statuses)
            call MPI_F_sync_reg(values)
            call check(all(values == [10, 20, 30]) .and. all(statuses%MPI_TAG == [1, 2, 3]), 20)
            call check(requests(1) == MPI_REQUEST_NULL .and. requests(3) == MPI_REQUEST_NULL, 21)
            call MPI_Recv_init(values(2), 1, MPI_INTEGER, 1, 4, MPI_COMM_WORLD, requests(2))
            call MPI_Start(requests(2))
            call MPI_Waitany(3, requests, index, status)
            call MPI_F_sync_reg(values)
            call check(values(2) == 40 .and. requests(2) /= MPI_REQUEST_NULL, 22)
            call check(index == 2 .or. index == 1, 27)  ! MPICH 4.0 begins with 0 here
            call MPI_Request_free(requests(2))
            call check(requests(2) == MPI_REQUEST_NULL, 23)
            call MPI_Irecv(values(3), 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, requests(3))
            call MPI_Waitsome(3, requests, done, indices, statuses)
            call check(done == 1 .and. (indices(1) == 3 .or. indices(1) == 2) .and. statuses(1)%MPI_TAG == 5, 25)
            call MPI_Testall(3, requests, flag, MPI_STATUSES_IGNORE)
            call check(flag, 28)
            call MPI_Testany(3, requests, index, flag, MPI_STATUS_IGNORE)
            call check(flag, 24)
            call MPI_Testsome(3, requests, done, indices, MPI_STATUSES_IGNORE)
            call check(done == MPI_UNDEFINED, 26)
            call MPI_Irecv(values(2), 1, MPI_INTEGER, 1, 99, MPI_COMM_WORLD, requests(1))
            call MPI_Cancel(requests(1))
            call MPI_Wait(requests(1), status)
            call MPI_Test_cancelled(status, flag)
            call check(flag .and. requests(1) == MPI_REQUEST_NULL, 29)
        else
            call MPI_Barrier(MPI_COMM_WORLD)
            do i = 1, 5
                if (rank == 1) call MPI_Send(10 * i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD)
            end do
        end if
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine

    subroutine strings()
        character(len=MPI_MAX_OBJECT_NAME) :: name
        character(len=MPI_MAX_PROCESSOR_NAME) :: processor
        character(len=MPI_MAX_ERROR_STRING) :: message
        character(len=MPI_MAX_INFO_KEY) :: key
        character(len=8) :: value
        type(MPI_Comm) :: comm
        type(MPI_Info) :: info
        integer :: length
        logical :: flag
        call MPI_Comm_dup(MPI_COMM_WORLD, comm)
        call MPI_Comm_set_name(comm, "of mine   ")
        name = "?"
        call MPI_Comm_get_name(comm, name, length)
        call check(name == "of mine" .and. length == 7, 40)
        call MPI_Comm_free(comm)
        call check(comm == MPI_COMM_NULL, 41)
        call MPI_Get_processor_name(processor, length)
        call check(length > 0 .and. length == len_trim(processor), 43)
        call MPI_Error_string(MPI_ERR_RANK, message, length)
        call check(length > 0 .and. len_trim(message) == length, 46)
        call MPI_Info_create(info)
        call MPI_Info_set(info, "key ", "a value ")
        call MPI_Info_get_nthkey(info, 0, key)
        call check(key == "key", 49)
        call MPI_Info_get_valuelen(info, "key", length, flag)
        call check(flag .and. length == 7, 50)
        call MPI_Info_get(info, "key", 7, value, flag)
        call check(flag .and. value(1:7) == "a value", 51)
        call MPI_Info_get(info, "none", 8, value, flag)
        call check(.not. flag, 53)
        call MPI_Info_free(info)
        call check(info == MPI_INFO_NULL, 54)
    end subroutine

    subroutine communicators()
        type(MPI_Group) :: world, group
        type(MPI_Comm) :: comm, inter, merged, local
        integer :: ranks(2), number, result
        logical :: flag
        call MPI_Comm_group(MPI_COMM_WORLD, world)
        call MPI_Group_incl(world, 2, [2, 0], group)
        call MPI_Group_translate_ranks(group, 2, [0, 1], world, ranks)
        call check(all(ranks == [2, 0]), 60)
        call MPI_Comm_create(MPI_COMM_WORLD, group, comm)
        call check((comm == MPI_COMM_NULL) .eqv. (rank == 1), 63)
        if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm)
        call MPI_Group_free(group)
        call MPI_Group_free(world)
        call MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, result)
        call check(result == MPI_UNEQUAL, 66)
        call MPI_Comm_split(MPI_COMM_WORLD, merge(0, 1, rank == 0), -rank, local)
        call MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, merge(2, 0, rank == 0), 3, inter)
        call MPI_Comm_test_inter(inter, flag)
        call check(flag, 68)
        call MPI_Intercomm_merge(inter, rank == 0, merged)
        call MPI_Comm_rank(merged, number)
        if (rank == 0) call check(number == 2, 70)
        call MPI_Comm_test_inter(merged, flag)
        call check(.not. flag, 71)
        call MPI_Comm_free(merged)
        call MPI_Comm_free(inter)
        call MPI_Comm_free(local)
    end subroutine

    subroutine topologies()
        type(MPI_Comm) :: comm, part
        integer :: dims(2), coords(2), source, destination, kind, in, out, neighbour(1), sources(1), weights_in(1), &
                   destinations(1), weights_out(1)
        logical :: periods(2), weighted
        dims = [size, 1]
        call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., comm)
        call MPI_Topo_test(comm, kind)
        call check(kind == MPI_CART, 80)
        call MPI_Cart_get(comm, 2, dims, periods, coords)
        call check(periods(1) .and. .not. periods(2) .and. coords(1) == rank, 81)
        call MPI_Cart_shift(comm, 1, 1, source, destination)
        call check(source == MPI_PROC_NULL .and. destination == MPI_PROC_NULL, 83)
        call MPI_Cart_sub(comm, [.false., .true.], part)
        call MPI_Comm_size(part, in)
        call check(in == 1, 84)
        call MPI_Comm_free(part)
        call MPI_Comm_free(comm)
        call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + 2, 3)], MPI_UNWEIGHTED, 1, [mod(rank + 1, 3)], &
                                            MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm)
        call MPI_Dist_graph_neighbors_count(comm, in, out, weighted)
        call check(in == 1 .and. out == 1 .and. .not. weighted, 88)
        call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, neighbour, 1, MPI_INTEGER, comm)
        call check(neighbour(1) == mod(rank + 2, 3), 89)
        call MPI_Comm_free(comm)
        call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [mod(rank + 1, 3)], [5], MPI_INFO_NULL, .false., comm)
        call MPI_Dist_graph_neighbors(comm, 1, sources, weights_in, 1, destinations, weights_out)
        call check(sources(1) == mod(rank + 2, 3) .and. weights_in(1) == 5 .and. weights_out(1) == 5, 101)
        call MPI_Comm_free(comm)
    end subroutine

    subroutine collectives()
        integer :: value, values(3), sums(3), counts(3), places(3)
        integer, asynchronous :: greatest
        type(MPI_Datatype) :: types_of_peers(3)
        type(MPI_Request) :: request
        value = rank + 1
        call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
        call check(value == 6, 110)
        values = -1
        values(rank + 1) = rank
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INTEGER, MPI_COMM_WORLD)
        call check(all(values == [0, 1, 2]), 111)
        call MPI_Gather(rank, 1, MPI_INTEGER, values, 1, MPI_INTEGER, 1, MPI_COMM_WORLD)
        call MPI_Scatter(values, 1, MPI_INTEGER, value, 1, MPI_INTEGER, 1, MPI_COMM_WORLD)
        call check(value == rank, 113)
        values = [1, 2, 3] * 10
        counts = 1
        places = [0, 4, 8]
        types_of_peers = MPI_INTEGER
        call MPI_Alltoallw(values, counts, places, types_of_peers, sums, counts, places, types_of_peers, MPI_COMM_WORLD)
        call check(all(sums == 10 * (rank + 1)), 115)
        call MPI_Iallreduce(rank, greatest, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request)
        call MPI_Wait(request, MPI_STATUS_IGNORE)
        call MPI_F_sync_reg(greatest)
        call check(greatest == 2, 117)
    end subroutine

    subroutine types()
        type(MPI_Datatype) :: vector, structure, inner(1)
        integer :: integers, addresses, datatypes, combiner, contents(3), got(3)
        integer, asynchronous, target :: sent(6)
        integer(MPI_ADDRESS_KIND) :: low, extent, places(1), first, second
        integer(MPI_COUNT_KIND) :: low_x, extent_x
        type(MPI_Status) :: status
        sent = [1, 2, 3, 4, 5, 6]
        call MPI_Type_vector(3, 1, 2, MPI_INTEGER, vector)
        call MPI_Type_commit(vector)
        call MPI_Sendrecv(sent, 1, vector, rank, 1, got, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status)
        call check(all(got == [1, 3, 5]), 130)
        call MPI_Type_get_extent(vector, low, extent)
        call MPI_Type_get_extent_x(vector, low_x, extent_x)
        call check(low == 0 .and. extent == 20 .and. extent_x == 20, 131)
        call MPI_Type_get_envelope(vector, integers, addresses, datatypes, combiner)
        call check(integers == 3 .and. datatypes == 1 .and. combiner == MPI_COMBINER_VECTOR, 132)
        call MPI_Type_get_contents(vector, 3, 0, 1, contents, places, inner)
        call check(all(contents == [3, 1, 2]) .and. inner(1) == MPI_INTEGER, 133)
        call MPI_Type_free(vector)
        call check(vector == MPI_DATATYPE_NULL, 134)
        call MPI_Get_address(sent(1), first)
        call MPI_Get_address(sent(3), second)
        call check(MPI_Aint_diff(second, first) == 8 .and. MPI_Aint_add(first, 8_MPI_ADDRESS_KIND) == second, 135)
        call MPI_Type_create_struct(2, [1, 2], [first, second], [MPI_INTEGER, MPI_INTEGER], structure)
        call MPI_Type_commit(structure)
        call MPI_Sendrecv(MPI_BOTTOM, 1, structure, rank, 1, got, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status)
        call check(all(got == [1, 3, 4]), 136)
        call MPI_Type_free(structure)
    end subroutine

    subroutine attributes()
        type(MPI_Comm) :: comm, copy
        integer :: keyval
        integer(MPI_ADDRESS_KIND) :: value
        logical :: flag
        call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
        call check(flag .and. value >= 32767, 150)
        call MPI_Comm_dup(MPI_COMM_SELF, comm)
        call MPI_Comm_create_keyval(copy_attribute, delete_attribute, keyval, 1000_MPI_ADDRESS_KIND)
        call MPI_Comm_get_attr(comm, keyval, value, flag)
        call check(.not. flag, 152)
        call MPI_Comm_set_attr(comm, keyval, -5_MPI_ADDRESS_KIND)
        call MPI_Comm_get_attr(comm, keyval, value, flag)
        call check(flag .and. value == -5, 153)
        call MPI_Comm_dup(comm, copy)
        call MPI_Comm_get_attr(copy, keyval, value, flag)
        call check(flag .and. value == 995 .and. copied == 1, 154)
        call MPI_Comm_free(copy)
        call check(deleted == 995, 155)
        call MPI_Comm_delete_attr(comm, keyval)
        call check(deleted == 990, 156)
        call MPI_Comm_free_keyval(keyval)
        call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
        call MPI_Comm_set_attr(comm, keyval, 77_MPI_ADDRESS_KIND)
        call MPI_Comm_dup(comm, copy)
        call MPI_Comm_get_attr(copy, keyval, value, flag)
        call check(flag .and. value == 77, 160)
        call MPI_Comm_free(copy)
        call MPI_Comm_free_keyval(keyval)
        call MPI_Comm_free(comm)
    end subroutine

    subroutine other_callbacks()
        type(MPI_Op) :: op
        type(MPI_Errhandler) :: handler, before
        integer :: value
        logical :: commutes
        call MPI_Op_create(add_and_count, .true., op)
        call MPI_Op_commutative(op, commutes)
        call MPI_Allreduce(rank, value, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
        call check(value == 5 .and. commutes, 170)
        call MPI_Op_free(op)
        call check(op == MPI_OP_NULL, 171)
        call MPI_Comm_create_errhandler(handle_error, handler)
        call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before)
        call check(before == MPI_ERRORS_ARE_FATAL, 172)
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler)
        call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK)
        call check(handled == 1, 173)
        call MPI_Errhandler_free(handler)
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
        call check(MPI_Wtime() >= 0 .and. MPI_Wtick() >= 0, 175)
    end subroutine
end program
