! DAMPI-TEST
!   np: 3
!   expect: clean
!   interleavings: 1
! What Fortran has otherwise than C, checked by the program itself: numbers for handles, indices that begin with 1, LOGICALs,
! strings with blanks, variables that stand for no argument, attributes, and procedures that MPI calls. With mpi_f08:
! f08_procedures_ok. Generalized
! requests, files and windows: generalized_ok.
module procedures_callbacks
    use mpi
    implicit none
    integer :: copied = 0, deleted = 0, handled = 0
contains
    subroutine add_and_count(in, inout, length, datatype)
        integer :: length, datatype, in(length), inout(length)
        if (datatype /= MPI_INTEGER) stop 90
        inout = in + inout + 1
    end subroutine

    subroutine copy_attribute(comm, keyval, state, value_in, value_out, flag, ierror)
        integer :: comm, keyval, ierror
        integer(MPI_ADDRESS_KIND) :: state, value_in, value_out
        logical :: flag
        if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) stop 91
        copied = copied + 1
        value_out = value_in + state
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete_attribute(comm, keyval, value, state, ierror)
        integer :: comm, keyval, ierror
        integer(MPI_ADDRESS_KIND) :: value, state
        if (state /= 1000 .or. comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) stop 92
        deleted = deleted + int(value)
        ierror = MPI_SUCCESS
    end subroutine

    subroutine old_copy(comm, keyval, state, value_in, value_out, flag, ierror)
        integer :: comm, keyval, state, value_in, value_out, ierror
        logical :: flag
        if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) stop 93
        value_out = value_in * state
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine handle_error(comm, code)
        integer :: comm, code, error_class, ierror
        call MPI_Error_class(code, error_class, ierror)
        if (comm /= MPI_COMM_WORLD .or. error_class /= MPI_ERR_RANK) stop 94
        handled = handled + 1
    end subroutine
end module

program procedures_ok
    use mpi
    use procedures_callbacks
    implicit none
    integer :: rank, size, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call messages()
    call completion()
    call strings()
    call groups_and_communicators()
    call topologies()
    call collectives()
    call types()
    call attributes()
    call other_callbacks()
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

    subroutine messages()
        integer :: status(MPI_STATUS_SIZE), count, right, left, given, got, message, buffer(100), position, packed
        character(len=5) :: text
        double precision :: pair(2)
        right = mod(rank + 1, size)
        left = mod(rank + size - 1, size)
        given = rank
        call MPI_Sendrecv(given, 1, MPI_INTEGER, right, 4, got, 1, MPI_INTEGER, left, 4, MPI_COMM_WORLD, status, ierror)
        call MPI_Get_count(status, MPI_INTEGER, count, ierror)
        call check(ierror == MPI_SUCCESS .and. got == left .and. count == 1, 1)
        call check(status(MPI_SOURCE) == left .and. status(MPI_TAG) == 4, 2)
        call MPI_Sendrecv_replace(got, 1, MPI_INTEGER, left, 5, right, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        call check(got == rank, 3)
        call MPI_Sendrecv(given, 1, MPI_INTEGER, MPI_PROC_NULL, 4, got, 1, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, &
                          MPI_COMM_WORLD, status, ierror)
        call check(status(MPI_SOURCE) == MPI_PROC_NULL .and. status(MPI_TAG) == MPI_ANY_TAG, 4)
        if (rank == 0) then
            text = "a b"
            call MPI_Ssend(text, 5, MPI_CHARACTER, 1, 6, MPI_COMM_WORLD, ierror)
            pair = [1.5d0, 2.5d0]
            call MPI_Buffer_attach(buffer, 400, ierror)
            call MPI_Bsend(pair, 2, MPI_DOUBLE_PRECISION, 1, 7, MPI_COMM_WORLD, ierror)
            call MPI_Buffer_detach(buffer, count, ierror)
            call check(count == 400, 5)
            call MPI_Send([(1.0, 2.0), (3.0, 4.0)], 2, MPI_COMPLEX, 1, 8, MPI_COMM_WORLD, ierror)
        else if (rank == 1) then
            call MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
            call MPI_Get_count(status, MPI_CHARACTER, count, ierror)
            call check(count == 5 .and. status(MPI_TAG) == 6, 6)
            call MPI_Recv(text, 5, MPI_CHARACTER, 0, 6, MPI_COMM_WORLD, status, ierror)
            call check(text == "a b", 7)
            call MPI_Mprobe(0, 7, MPI_COMM_WORLD, message, status, ierror)
            call check(message /= MPI_MESSAGE_NULL, 8)
            call MPI_Mrecv(pair, 2, MPI_DOUBLE_PRECISION, message, status, ierror)
            call check(message == MPI_MESSAGE_NULL .and. pair(2) == 2.5d0, 9)
            call MPI_Probe(0, 8, MPI_COMM_WORLD, status, ierror)
            call MPI_Get_elements(status, MPI_REAL, count, ierror)
            call check(count == 4, 10)
            call MPI_Recv(pair, 2, MPI_COMPLEX, 0, 8, MPI_COMM_WORLD, status, ierror)
        end if
        position = 0
        call MPI_Pack(rank, 1, MPI_INTEGER, buffer, 400, position, MPI_COMM_WORLD, ierror)
        call MPI_Pack_size(1, MPI_INTEGER, MPI_COMM_WORLD, packed, ierror)
        call check(position == 4 .and. packed >= 4, 11)
        position = 0
        call MPI_Unpack(buffer, 400, position, got, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(got == rank, 12)
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
    end subroutine

    subroutine completion()
        integer :: requests(3), statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE), i, index, done, indices(3), values(3)
        logical :: flag
        if (rank == 0) then
            do i = 1, 3
                call MPI_Irecv(values(i), 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, requests(i), ierror)
            end do
            call MPI_Barrier(MPI_COMM_WORLD, ierror)
            call MPI_Waitall(3, requests, statuses, ierror)
            call check(all(values == [10, 20, 30]) .and. all(statuses(MPI_TAG, :) == [1, 2, 3]), 20)
            call check(all(requests == MPI_REQUEST_NULL), 21)
            requests = MPI_REQUEST_NULL
            call MPI_Recv_init(values(2), 1, MPI_INTEGER, 1, 4, MPI_COMM_WORLD, requests(2), ierror)
            call MPI_Start(requests(2), ierror)
            call MPI_Waitany(3, requests, index, status, ierror)
            call check(index == 2 .and. values(2) == 40 .and. requests(2) /= MPI_REQUEST_NULL, 22)
            call MPI_Request_free(requests(2), ierror)
            call check(requests(2) == MPI_REQUEST_NULL, 23)
            call MPI_Irecv(values(3), 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, requests(3), ierror)
            call MPI_Waitsome(3, requests, done, indices, statuses, ierror)
            call check(done == 1 .and. indices(1) == 3 .and. statuses(MPI_TAG, 1) == 5, 25)
            call MPI_Irecv(values(2), 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, requests(2), ierror)
            call MPI_Testany(3, requests, index, flag, status, ierror)
            call check(flag .and. index == 2 .and. status(MPI_SOURCE) == MPI_PROC_NULL, 26)
            call MPI_Irecv(values(3), 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, requests(3), ierror)
            call MPI_Testsome(3, requests, done, indices, MPI_STATUSES_IGNORE, ierror)
            call check(done == 1 .and. indices(1) == 3, 27)
            call MPI_Testall(3, requests, flag, MPI_STATUSES_IGNORE, ierror)
            call check(flag, 28)
            call MPI_Irecv(values(2), 1, MPI_INTEGER, 1, 99, MPI_COMM_WORLD, requests(1), ierror)
            call MPI_Cancel(requests(1), ierror)
            call MPI_Wait(requests(1), status, ierror)
            call MPI_Test_cancelled(status, flag, ierror)
            call check(flag .and. requests(1) == MPI_REQUEST_NULL, 29)
            call MPI_Request_get_status(requests(1), flag, status, ierror)
            call check(flag, 30)
        else
            call MPI_Barrier(MPI_COMM_WORLD, ierror)
            do i = 1, 5
                if (rank == 1) call MPI_Send(10 * i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, ierror)
            end do
        end if
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
    end subroutine

    subroutine strings()
        character(len=MPI_MAX_OBJECT_NAME) :: name
        character(len=MPI_MAX_PROCESSOR_NAME) :: processor
        character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: library
        character(len=MPI_MAX_ERROR_STRING) :: message
        character(len=MPI_MAX_INFO_KEY) :: key
        character(len=8) :: value
        integer :: length, comm, info, copy, keys, version, subversion
        logical :: flag
        call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
        call MPI_Comm_set_name(comm, "of mine   ", ierror)
        name = "?"
        call MPI_Comm_get_name(comm, name, length, ierror)
        call check(name == "of mine" .and. length == 7, 40)
        call MPI_Comm_free(comm, ierror)
        call check(comm == MPI_COMM_NULL, 41)
        call MPI_Type_get_name(MPI_INTEGER, name, length, ierror)
        call check(name == "MPI_INTEGER" .and. length == 11, 42)
        call MPI_Get_processor_name(processor, length, ierror)
        call check(length > 0 .and. length == len_trim(processor), 43)
        call MPI_Get_library_version(library, length, ierror)
        call check(length > 0, 44)
        call MPI_Get_version(version, subversion, ierror)
        call check(version >= 3, 45)
        call MPI_Error_string(MPI_ERR_RANK, message, length, ierror)
        call check(length > 0 .and. len_trim(message) == length, 46)
        call MPI_Info_create(info, ierror)
        call MPI_Info_set(info, "key ", " a value ", ierror)
        call MPI_Info_set(info, "other", "x", ierror)
        call MPI_Info_dup(info, copy, ierror)
        call MPI_Info_delete(info, "other", ierror)
        call MPI_Info_get_nkeys(info, keys, ierror)
        call check(keys == 1, 47)
        call MPI_Info_get_nkeys(copy, keys, ierror)
        call check(keys == 2, 48)
        call MPI_Info_get_nthkey(info, 0, key, ierror)
        call check(key == "key", 49)
        call MPI_Info_get_valuelen(info, "key", length, flag, ierror)
        call check(flag .and. length == 7, 50)
        call MPI_Info_get(info, "key", 7, value, flag, ierror)
        call check(flag .and. value == "a value ", 51)
        value = "kept"
        call MPI_Info_get(info, "none", 8, value, flag, ierror)
        call check(.not. flag .and. value == "kept", 53)
        call MPI_Info_free(info, ierror)
        call MPI_Info_free(copy, ierror)
        call check(info == MPI_INFO_NULL, 54)
    end subroutine

    subroutine groups_and_communicators()
        integer :: world, group, other, number, result, comm, ranks(2), ranges(3, 1), inter, merged, local
        logical :: flag
        call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
        call MPI_Group_incl(world, 2, [2, 0], group, ierror)
        call MPI_Group_translate_ranks(group, 2, [0, 1], world, ranks, ierror)
        call check(all(ranks == [2, 0]), 60)
        call MPI_Group_rank(group, number, ierror)
        if (rank == 1) call check(number == MPI_UNDEFINED, 61)
        ranges(:, 1) = [0, 2, 2]
        call MPI_Group_range_incl(world, 1, ranges, other, ierror)
        call MPI_Group_compare(group, other, result, ierror)
        call check(result == MPI_SIMILAR, 62)
        call MPI_Comm_create(MPI_COMM_WORLD, group, comm, ierror)
        call check((comm == MPI_COMM_NULL) .eqv. (rank == 1), 63)
        if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm, ierror)
        call MPI_Group_free(other, ierror)
        call MPI_Group_difference(world, group, other, ierror)
        call MPI_Group_size(other, number, ierror)
        call check(number == 1, 64)
        call MPI_Group_free(other, ierror)
        call MPI_Group_intersection(group, MPI_GROUP_EMPTY, other, ierror)
        call check(other == MPI_GROUP_EMPTY, 65)
        call MPI_Group_free(group, ierror)
        call MPI_Group_free(world, ierror)
        call MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, result, ierror)
        call check(result == MPI_UNEQUAL, 66)
        call MPI_Comm_split(MPI_COMM_WORLD, merge(0, 1, rank == 0), -rank, local, ierror)
        call MPI_Comm_rank(local, number, ierror)
        call check(number == merge(1, 0, rank == 1), 67)
        call MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, merge(2, 0, rank == 0), 3, inter, ierror)
        call MPI_Comm_test_inter(inter, flag, ierror)
        call check(flag, 68)
        call MPI_Comm_remote_size(inter, number, ierror)
        call check(number == merge(2, 1, rank == 0), 69)
        call MPI_Intercomm_merge(inter, rank == 0, merged, ierror)
        call MPI_Comm_rank(merged, number, ierror)
        if (rank == 0) call check(number == 2, 70)
        call MPI_Comm_test_inter(merged, flag, ierror)
        call check(.not. flag, 71)
        call MPI_Comm_free(merged, ierror)
        call MPI_Comm_free(inter, ierror)
        call MPI_Comm_free(local, ierror)
        call MPI_Comm_split(MPI_COMM_WORLD, merge(0, MPI_UNDEFINED, rank == 0), 0, local, ierror)
        call check((local == MPI_COMM_NULL) .eqv. (rank /= 0), 72)
        if (local /= MPI_COMM_NULL) call MPI_Comm_free(local, ierror)
    end subroutine

    subroutine topologies()
        integer :: comm, part, dims(2), coords(2), source, destination, kind, neighbours(2), in, out, all(2)
        integer :: sources(1), destinations(1), weights_in(1), weights_out(1)
        logical :: periods(2), weighted
        dims = [size, 1]
        call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., comm, ierror)
        call MPI_Topo_test(comm, kind, ierror)
        call check(kind == MPI_CART, 80)
        call MPI_Cart_get(comm, 2, dims, periods, coords, ierror)
        call check(periods(1) .and. .not. periods(2) .and. coords(1) == rank, 81)
        call MPI_Cart_shift(comm, 0, 1, source, destination, ierror)
        call check(destination == mod(rank + 1, size), 82)
        call MPI_Cart_shift(comm, 1, 1, source, destination, ierror)
        call check(source == MPI_PROC_NULL .and. destination == MPI_PROC_NULL, 83)
        call MPI_Cart_sub(comm, [.false., .true.], part, ierror)
        call MPI_Comm_size(part, in, ierror)
        call check(in == 1, 84)
        call MPI_Comm_free(part, ierror)
        call MPI_Comm_free(comm, ierror)
        call MPI_Topo_test(MPI_COMM_WORLD, kind, ierror)
        call check(kind == MPI_UNDEFINED, 85)
        dims = 0
        call MPI_Dims_create(6, 2, dims, ierror)
        call check(dims(1) * dims(2) == 6, 86)
        call MPI_Graph_create(MPI_COMM_WORLD, 3, [1, 3, 4], [1, 0, 2, 1], .false., comm, ierror)
        call MPI_Graph_neighbors_count(comm, 1, in, ierror)
        call MPI_Graph_neighbors(comm, 1, 2, neighbours, ierror)
        call check(in == 2 .and. neighbours(2) == 2, 87)
        call MPI_Comm_free(comm, ierror)
        call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + 2, 3)], MPI_UNWEIGHTED, 1, [mod(rank + 1, 3)], &
                                            MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, ierror)
        call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierror)
        call check(in == 1 .and. out == 1 .and. .not. weighted, 88)
        call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, comm, ierror)
        call check(all(1) == mod(rank + 2, 3), 89)
        call MPI_Comm_free(comm, ierror)
        call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [mod(rank + 1, 3)], [5], MPI_INFO_NULL, .false., comm, &
                                   ierror)
        call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierror)
        call check(weighted, 100)
        call MPI_Dist_graph_neighbors(comm, 1, sources, weights_in, 1, destinations, weights_out, ierror)
        call check(sources(1) == mod(rank + 2, 3) .and. weights_in(1) == 5 .and. weights_out(1) == 5, 101)
        call MPI_Comm_free(comm, ierror)
    end subroutine

    subroutine collectives()
        integer :: value, values(3), sums(3), counts(3), places(3), types_of_peers(3), request, pair(2), least(2), i
        value = rank + 1
        call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(value == 6, 110)
        values = -1
        values(rank + 1) = rank
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(all(values == [0, 1, 2]), 111)
        value = 7 * merge(1, 0, rank == 2)
        call MPI_Bcast(value, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, ierror)
        call check(value == 7, 112)
        call MPI_Gather(rank, 1, MPI_INTEGER, values, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierror)
        call MPI_Scatter(values, 1, MPI_INTEGER, value, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierror)
        call check(value == rank, 113)
        values = [1, 2, 3] * 10
        call MPI_Alltoall(values, 1, MPI_INTEGER, sums, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(all(sums == 10 * (rank + 1)), 114)
        counts = 1
        places = [0, 4, 8]
        types_of_peers = MPI_INTEGER
        sums = 0
        call MPI_Alltoallw(values, counts, places, types_of_peers, sums, counts, places, types_of_peers, MPI_COMM_WORLD, &
                           ierror)
        call check(all(sums == 10 * (rank + 1)), 115)
        values = rank
        call MPI_Ialltoallw(MPI_IN_PLACE, counts, places, types_of_peers, values, counts, places, types_of_peers, &
                            MPI_COMM_WORLD, request, ierror)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
        call check(all(values == [0, 1, 2]), 116)
        call MPI_Iallreduce(rank, value, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
        call check(value == 2, 117)
        pair = [10 - rank, rank]
        call MPI_Allreduce(pair, least, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, ierror)
        call check(least(1) == 8 .and. least(2) == 2, 118)
        call MPI_Scan(rank, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(value == rank * (rank + 1) / 2, 119)
        call MPI_Reduce_scatter(values, value, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(value == 3 * rank, 120)
        call MPI_Allgatherv(rank, 1, MPI_INTEGER, values, counts, [(i, i = 0, 2)], MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(all(values == [0, 1, 2]), 121)
    end subroutine

    subroutine types()
        integer :: vector, structure, block, copy, size_of, integers, addresses, datatypes, combiner, contents(10), inner(4)
        integer :: sent(6), got(3), status(MPI_STATUS_SIZE), bytes, parts, small
        integer(MPI_ADDRESS_KIND) :: low, extent, places(4), first, second
        double precision :: numbers(2)
        call MPI_Type_vector(3, 1, 2, MPI_INTEGER, vector, ierror)
        call MPI_Type_commit(vector, ierror)
        sent = [1, 2, 3, 4, 5, 6]
        call MPI_Sendrecv(sent, 1, vector, rank, 1, got, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status, ierror)
        call check(all(got == [1, 3, 5]), 130)
        call MPI_Type_size(vector, size_of, ierror)
        call MPI_Type_get_extent(vector, low, extent, ierror)
        call check(size_of == 12 .and. low == 0 .and. extent == 20, 131)
        call MPI_Type_get_envelope(vector, integers, addresses, datatypes, combiner, ierror)
        call check(integers == 3 .and. addresses == 0 .and. datatypes == 1 .and. combiner == MPI_COMBINER_VECTOR, 132)
        call MPI_Type_get_contents(vector, 3, 0, 1, contents, places, inner, ierror)
        call check(all(contents(1:3) == [3, 1, 2]) .and. inner(1) == MPI_INTEGER, 133)
        call MPI_Get_address(sent(1), first, ierror)
        call MPI_Get_address(sent(3), second, ierror)
        call check(second - first == 8 .and. MPI_Aint_diff(second, first) == 8, 134)
        call check(MPI_Aint_add(first, 8_MPI_ADDRESS_KIND) == second, 135)
        call MPI_Type_create_struct(2, [1, 2], [first, second], [MPI_INTEGER, MPI_INTEGER], structure, ierror)
        call MPI_Type_commit(structure, ierror)
        got = 0
        call MPI_Sendrecv(MPI_BOTTOM, 1, structure, rank, 1, got, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status, ierror)
        call check(all(got == [1, 3, 4]), 136)
        call MPI_Type_dup(structure, copy, ierror)
        call MPI_Type_free(structure, ierror)
        call MPI_Type_free(copy, ierror)
        call check(structure == MPI_DATATYPE_NULL, 137)
        call MPI_Type_create_hindexed(2, [1, 1], [0_MPI_ADDRESS_KIND, 12_MPI_ADDRESS_KIND], MPI_INTEGER, block, ierror)
        call MPI_Type_get_extent(block, low, extent, ierror)
        call check(extent == 16, 138)
        call MPI_Type_free(block, ierror)
        call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 12_MPI_ADDRESS_KIND, block, ierror)
        call MPI_Type_get_extent(block, low, extent, ierror)
        call check(extent == 12, 139)
        call MPI_Type_free(block, ierror)
        call MPI_Type_create_subarray(2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, block, ierror)
        call MPI_Type_get_contents(block, 8, 0, 1, contents, places, inner, ierror)
        call check(contents(8) == MPI_ORDER_FORTRAN .and. inner(1) == MPI_INTEGER, 140)
        call MPI_Type_free(block, ierror)
        call MPI_Type_create_darray(3, rank, 1, [6], [MPI_DISTRIBUTE_BLOCK], [MPI_DISTRIBUTE_DFLT_DARG], [3], &
                                    MPI_ORDER_FORTRAN, MPI_INTEGER, block, ierror)
        call MPI_Type_size(block, size_of, ierror)
        call check(size_of == 8, 141)
        call MPI_Type_free(block, ierror)
        call MPI_Type_free(vector, ierror)
        call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, block, ierror)
        call check(block == MPI_REAL8 .or. block == MPI_DOUBLE_PRECISION, 142)
        call MPI_Type_create_f90_real(6, 30, block, ierror)
        call MPI_Type_size(block, size_of, ierror)
        call check(size_of == 4, 143)
        call MPI_Sizeof(numbers, bytes, ierror)
        call MPI_Sizeof(small, parts, ierror)
        call check(bytes == 8 .and. parts == 4, 144)
    end subroutine

    subroutine attributes()
        integer :: keyval, old, comm, copy, type_keyval, datatype, number
        integer(MPI_ADDRESS_KIND) :: value
        logical :: flag
        call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
        call check(flag .and. value >= 32767, 150)
        call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierror)
        call check(flag .and. (value == 0 .or. value == 1), 151)
        call MPI_Comm_dup(MPI_COMM_SELF, comm, ierror)
        call MPI_Comm_create_keyval(copy_attribute, delete_attribute, keyval, 1000_MPI_ADDRESS_KIND, ierror)
        call MPI_Comm_get_attr(comm, keyval, value, flag, ierror)
        call check(.not. flag, 152)
        call MPI_Comm_set_attr(comm, keyval, -5_MPI_ADDRESS_KIND, ierror)
        call MPI_Comm_get_attr(comm, keyval, value, flag, ierror)
        call check(flag .and. value == -5, 153)
        call MPI_Comm_dup(comm, copy, ierror)
        call MPI_Comm_get_attr(copy, keyval, value, flag, ierror)
        call check(flag .and. value == 995 .and. copied == 1, 154)
        call MPI_Comm_free(copy, ierror)
        call check(deleted == 995, 155)
        call MPI_Comm_delete_attr(comm, keyval, ierror)
        call check(deleted == 990, 156)
        call MPI_Comm_free_keyval(keyval, ierror)
        call check(keyval == MPI_KEYVAL_INVALID, 157)
        call MPI_Keyval_create(old_copy, MPI_NULL_DELETE_FN, old, 3, ierror)
        call MPI_Attr_put(comm, old, 14, ierror)
        call MPI_Comm_dup(comm, copy, ierror)
        call MPI_Attr_get(copy, old, number, flag, ierror)
        call check(flag .and. number == 42, 158)
        call MPI_Comm_free(copy, ierror)
        call MPI_Attr_delete(comm, old, ierror)
        call MPI_Attr_get(comm, old, number, flag, ierror)
        call check(.not. flag, 159)
        call MPI_Keyval_free(old, ierror)
        call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierror)
        call MPI_Comm_set_attr(comm, keyval, 77_MPI_ADDRESS_KIND, ierror)
        call MPI_Comm_dup(comm, copy, ierror)
        call MPI_Comm_get_attr(copy, keyval, value, flag, ierror)
        call check(flag .and. value == 77, 160)
        call MPI_Comm_free(copy, ierror)
        call MPI_Comm_free_keyval(keyval, ierror)
        call MPI_Comm_free(comm, ierror)
        call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, type_keyval, 0_MPI_ADDRESS_KIND, ierror)
        call MPI_Type_contiguous(2, MPI_INTEGER, datatype, ierror)
        call MPI_Type_set_attr(datatype, type_keyval, 5_MPI_ADDRESS_KIND, ierror)
        call MPI_Type_get_attr(datatype, type_keyval, value, flag, ierror)
        call check(flag .and. value == 5, 161)
        call MPI_Type_free(datatype, ierror)
        call MPI_Type_free_keyval(type_keyval, ierror)
    end subroutine

    subroutine other_callbacks()
        integer :: op, value, handler, code, before
        logical :: commutes
        call MPI_Op_create(add_and_count, .true., op, ierror)
        call MPI_Op_commutative(op, commutes, ierror)
        call MPI_Allreduce(rank, value, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
        call check(value == 5 .and. commutes, 170)
        call MPI_Op_free(op, ierror)
        call check(op == MPI_OP_NULL, 171)
        call MPI_Comm_create_errhandler(handle_error, handler, ierror)
        call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before, ierror)
        call check(before == MPI_ERRORS_ARE_FATAL, 172)
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierror)
        call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK, ierror)
        call check(handled == 1, 173)
        call MPI_Errhandler_free(handler, ierror)
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
        call MPI_Add_error_class(code, ierror)
        call MPI_Add_error_string(code, "of mine", ierror)
        call check(MPI_Wtime() >= 0 .and. MPI_Wtick() >= 0, 175)
    end subroutine
end program
