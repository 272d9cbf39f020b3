"""Communicators, groups, topologies, attributes."""
import numpy
from mpi4py import MPI

from common import Case


class Create(Case):
    def check(self, comm, size):
        self.assertEqual(comm.Get_size(), size)
        self.assertEqual(comm.allreduce(1), size)
        comm.Free()
        self.assertEqual(comm, MPI.COMM_NULL)

    def test_dup(self):
        self.check(self.comm.Dup(), self.size)

    def test_clone(self):
        self.check(self.comm.Clone(), self.size)

    def test_dup_with_info(self):
        info = MPI.Info.Create()
        self.check(self.comm.Dup_with_info(info), self.size)
        info.Free()

    def test_dup_many(self):
        comms = [self.comm.Dup() for _ in range(20)]
        self.assertEqual([comm.bcast(number) for number, comm in enumerate(comms)], list(range(20)))
        for comm in comms:
            comm.Free()

    def test_dup_of_dup(self):
        comm = self.comm.Dup()
        inner = comm.Dup()
        comm.Free()
        self.check(inner, self.size)

    def test_idup(self):
        comm, request = self.comm.Idup()
        request.Wait()
        self.check(comm, self.size)

    def test_split(self):
        comm = self.comm.Split(self.rank % 2, -self.rank)
        mine = [rank for rank in range(self.size) if rank % 2 == self.rank % 2]
        self.assertEqual(comm.allgather(self.rank), mine[::-1])
        self.check(comm, len(mine))

    def test_split_undefined(self):
        comm = self.comm.Split(0 if self.rank == 0 else MPI.UNDEFINED)
        if self.rank == 0:
            self.check(comm, 1)
        else:
            self.assertEqual(comm, MPI.COMM_NULL)

    def test_split_type(self):
        self.check(self.comm.Split_type(MPI.COMM_TYPE_SHARED), self.size)

    def test_split_type_undefined(self):
        self.assertEqual(self.comm.Split_type(MPI.UNDEFINED), MPI.COMM_NULL)

    def test_create(self):
        group = self.comm.Get_group()
        first = group.Incl([0])
        comm = self.comm.Create(first)
        if self.rank == 0:
            self.check(comm, 1)
        else:
            self.assertEqual(comm, MPI.COMM_NULL)
        first.Free()
        group.Free()

    def test_create_group(self):
        group = self.comm.Get_group()
        rest = group.Excl([0])
        if self.rank > 0:
            self.check(self.comm.Create_group(rest, 3), self.size - 1)
        rest.Free()
        group.Free()

    def test_isolated(self):
        """A message on one communicator is not received on another."""
        other = self.comm.Dup()
        requests = [other.isend("other", self.next), self.comm.isend("first", self.next)]
        self.assertEqual(self.comm.recv(), "first")
        self.assertEqual(other.recv(), "other")
        MPI.Request.waitall(requests)
        other.Free()

    def test_compare(self):
        other = self.comm.Dup()
        self.assertEqual(MPI.Comm.Compare(self.comm, self.comm), MPI.IDENT)
        self.assertEqual(MPI.Comm.Compare(self.comm, other), MPI.CONGRUENT)
        backwards = self.comm.Split(0, -self.rank)
        self.assertEqual(MPI.Comm.Compare(self.comm, backwards), MPI.SIMILAR if self.size > 1 else MPI.CONGRUENT)
        self.assertEqual(MPI.Comm.Compare(self.comm, MPI.COMM_SELF), MPI.UNEQUAL if self.size > 1 else MPI.CONGRUENT)
        other.Free()
        backwards.Free()

    def test_name(self):
        self.assertEqual(MPI.COMM_WORLD.Get_name(), "MPI_COMM_WORLD")
        self.comm.name = "of the test"
        self.assertEqual(self.comm.Get_name(), "of the test")

    def test_properties(self):
        self.assertFalse(self.comm.is_inter)
        self.assertTrue(self.comm.is_intra)
        self.assertEqual((self.comm.size, self.comm.rank), (self.size, self.rank))
        self.assertEqual(self.comm.Get_topology(), MPI.UNDEFINED)

    def test_info(self):
        info = MPI.Info.Create()
        self.comm.Set_info(info)
        info.Free()
        back = self.comm.Get_info()
        self.assertIsInstance(back, MPI.Info)
        back.Free()

    def test_handle(self):
        again = MPI.Comm.f2py(self.comm.py2f())
        self.assertEqual(again, self.comm)
        self.assertNotEqual(MPI._handleof(self.comm), 0)


class Groups(Case):
    def setUp(self):
        super().setUp()
        self.group = self.comm.Get_group()
        self.made = [self.group]

    def tearDown(self):
        for group in self.made:
            if group not in (MPI.GROUP_NULL, MPI.GROUP_EMPTY):
                group.Free()
        super().tearDown()

    def keep(self, group):
        self.made.append(group)
        return group

    def test_properties(self):
        self.assertEqual((self.group.size, self.group.rank), (self.size, self.rank))

    def test_incl_excl(self):
        first, rest = self.keep(self.group.Incl([0])), self.keep(self.group.Excl([0]))
        self.assertEqual((first.Get_size(), rest.Get_size()), (1, self.size - 1))
        self.assertEqual(first.Get_rank(), 0 if self.rank == 0 else MPI.UNDEFINED)

    def test_ranges(self):
        even = self.keep(self.group.Range_incl([(0, self.size - 1, 2)]))
        odd = self.keep(self.group.Range_excl([(0, self.size - 1, 2)]))
        self.assertEqual((even.Get_size(), odd.Get_size()), ((self.size + 1) // 2, self.size // 2))

    def test_set_operations(self):
        first, rest = self.keep(self.group.Incl([0])), self.keep(self.group.Excl([0]))
        self.assertEqual(MPI.Group.Compare(self.keep(MPI.Group.Union(first, rest)), self.group), MPI.IDENT)
        self.assertEqual(self.keep(MPI.Group.Intersection(first, rest)).Get_size(), 0)
        self.assertEqual(self.keep(MPI.Group.Difference(self.group, first)).Get_size(), self.size - 1)

    def test_compare(self):
        same = self.keep(self.comm.Get_group())
        self.assertEqual(MPI.Group.Compare(same, self.group), MPI.IDENT)
        backwards = self.keep(self.group.Incl(range(self.size)[::-1]))
        self.assertEqual(MPI.Group.Compare(backwards, self.group), MPI.SIMILAR if self.size > 1 else MPI.IDENT)
        self.assertEqual(MPI.Group.Compare(MPI.GROUP_EMPTY, self.group), MPI.UNEQUAL)

    def test_translate(self):
        backwards = self.keep(self.group.Incl(range(self.size)[::-1]))
        self.assertEqual(MPI.Group.Translate_ranks(self.group, list(range(self.size)), backwards),
                         list(range(self.size))[::-1])
        self.assertEqual(MPI.Group.Translate_ranks(self.group, [MPI.PROC_NULL], backwards), [MPI.PROC_NULL])

    def test_dup(self):
        self.assertEqual(MPI.Group.Compare(self.keep(self.group.Dup()), self.group), MPI.IDENT)


class Topologies(Case):
    def setUp(self):
        super().setUp()
        self.topology = None

    def tearDown(self):
        if self.topology:
            self.topology.Free()
        super().tearDown()

    def cart(self, dimensions, periods):
        self.topology = self.comm.Create_cart(dimensions, periods)
        return self.topology

    def test_compute_dims(self):
        self.assertEqual(MPI.Compute_dims(12, 2), [4, 3])
        self.assertEqual(MPI.Compute_dims(12, [0, 2, 0]), [3, 2, 2])
        self.assertEqual(numpy.prod(MPI.Compute_dims(self.size, 3)), self.size)

    def test_cart(self):
        cart = self.cart(MPI.Compute_dims(self.size, 2), [True, False])
        self.assertIsInstance(cart, MPI.Cartcomm)
        self.assertEqual((cart.Get_topology(), cart.Get_dim()), (MPI.CART, 2))
        dimensions, periods, coordinates = cart.Get_topo()
        self.assertEqual((dimensions, periods), (MPI.Compute_dims(self.size, 2), [1, 0]))
        self.assertEqual(cart.Get_cart_rank(coordinates), self.rank)
        self.assertEqual(cart.Get_coords(self.rank), coordinates)

    def test_cart_properties(self):
        cart = self.cart([self.size], [True])
        self.assertEqual((cart.dim, cart.dims, cart.periods, cart.coords), (1, [self.size], [1], [self.rank]))
        self.assertEqual((cart.ndim, cart.indegree, cart.outdegree), (1, 2, 2))

    def test_cart_too_small(self):
        self.topology = self.comm.Create_cart([1])
        self.assertEqual(self.topology == MPI.COMM_NULL, self.rank > 0)
        self.topology = self.topology or None

    def test_shift(self):
        cart = self.cart([self.size], [True])
        self.assertEqual(cart.Shift(0, 1), (self.previous, self.next))
        source, destination = cart.Shift(0, 1)
        self.assertEqual(cart.sendrecv(self.rank, destination, source=source), self.previous)

    def test_shift_at_the_border(self):
        cart = self.cart([self.size], [False])
        source, destination = cart.Shift(0, 1)
        self.assertEqual(source, self.rank - 1 if self.rank else MPI.PROC_NULL)
        self.assertEqual(destination, self.next if self.next else MPI.PROC_NULL)
        self.assertEqual(cart.sendrecv(self.rank, destination, source=source), self.rank - 1 if self.rank else None)

    def test_sub(self):
        cart = self.cart([1, self.size], [False, False])
        rows = cart.Sub([False, True])
        self.assertEqual((rows.Get_size(), rows.Get_dim()), (self.size, 1))
        rows.Free()

    def test_cart_map(self):
        self.assertIn(self.comm.Create_cart([self.size]).Free(), (None,))
        cart = self.cart([self.size], [False])
        self.assertIn(cart.Cart_map([self.size], [False]), range(self.size))

    def test_graph(self):
        """A ring."""
        index = [2 * (rank + 1) for rank in range(self.size)]
        edges = [other % self.size for rank in range(self.size) for other in (rank - 1, rank + 1)]
        self.topology = graph = self.comm.Create_graph(index, edges)
        self.assertEqual((graph.Get_topology(), graph.Get_dims()), (MPI.GRAPH, (self.size, 2 * self.size)))
        self.assertEqual(graph.Get_topo(), (index, edges))
        self.assertEqual(graph.Get_neighbors_count(self.rank), 2)
        self.assertEqual(graph.Get_neighbors(self.rank), [self.previous, self.next])
        self.assertEqual((graph.nnodes, graph.nedges, graph.nneighbors), (self.size, 2 * self.size, 2))
        self.assertIn(graph.Graph_map(index, edges), range(self.size))

    def test_dist_graph(self):
        """Each rank describes the edges of the next one."""
        self.topology = graph = self.comm.Create_dist_graph([self.next], [1], [self.rank], weights=[3])
        self.assertEqual(graph.Get_topology(), MPI.DIST_GRAPH)
        self.assertEqual(graph.Get_dist_neighbors_count(), (1, 1, True))
        self.assertEqual(graph.Get_dist_neighbors(), ([self.next], [self.previous], ([3], [3])))

    def test_dist_graph_adjacent(self):
        self.topology = graph = self.comm.Create_dist_graph_adjacent([self.previous], [self.next])
        self.assertIsInstance(graph, MPI.Distgraphcomm)
        self.assertEqual(graph.Get_dist_neighbors()[:2], ([self.previous], [self.next]))
        self.assertEqual(graph.inoutedges, ([self.previous], [self.next]))


class Neighbours(Case):
    """Collectives among neighbours on a ring."""

    def communicator(self):
        return MPI.COMM_WORLD.Create_cart([MPI.COMM_WORLD.Get_size()], [True])

    def test_allgather(self):
        self.assertEqual(self.comm.neighbor_allgather(("r", self.rank)), [("r", self.previous), ("r", self.next)])

    def test_alltoall(self):
        back = self.comm.neighbor_alltoall([(self.rank, 0), (self.rank, 1)])
        self.assertEqual(sorted(back), sorted([(self.previous, 1), (self.next, 0)]))

    def buffers(self, prefix, wait):
        out, into = numpy.full(1, float(self.rank)), numpy.zeros(2)
        around = [self.previous, self.next]
        wait(getattr(self.comm, prefix + "eighbor_allgather")(out, into))
        self.same(into, around)
        into[:] = 0
        wait(getattr(self.comm, prefix + "eighbor_allgatherv")(out, [into, [1, 1], [1, 0], MPI.DOUBLE]))
        self.same(into, around[::-1])
        out = numpy.array([self.rank, self.rank], "d")
        wait(getattr(self.comm, prefix + "eighbor_alltoall")(out, into))
        self.same(into, around)
        wait(getattr(self.comm, prefix + "eighbor_alltoallv")([out, [1, 1], [0, 1], MPI.DOUBLE],
                                                               [into, [1, 1], [0, 1], MPI.DOUBLE]))
        self.same(into, around)
        wait(getattr(self.comm, prefix + "eighbor_alltoallw")([out, [1, 1], [0, 8], [MPI.DOUBLE] * 2],
                                                               [into, [1, 1], [8, 0], [MPI.DOUBLE] * 2]))
        self.same(into, around[::-1])

    def test_blocking(self):
        self.buffers("N", lambda nothing: None)

    def test_nonblocking(self):
        self.buffers("In", lambda request: request.Wait())


class NeighboursOfGraph(Neighbours):
    def communicator(self):
        world = MPI.COMM_WORLD
        around = [(world.rank - 1) % world.size, (world.rank + 1) % world.size]
        return world.Create_dist_graph_adjacent(around, around)


class Attributes(Case):
    def test_predefined(self):
        world = MPI.COMM_WORLD
        self.assertGreaterEqual(world.Get_attr(MPI.TAG_UB), 32767)
        self.assertIn(world.Get_attr(MPI.WTIME_IS_GLOBAL), (True, False, None))
        self.assertIsNotNone(world.Get_attr(MPI.HOST))
        self.assertIsNotNone(world.Get_attr(MPI.IO))
        self.assertIsNotNone(world.Get_attr(MPI.APPNUM))

    def test_set_get_delete(self):
        keyval = MPI.Comm.Create_keyval()
        self.assertIsNone(self.comm.Get_attr(keyval))
        self.comm.Set_attr(keyval, {"any": "object"})
        self.assertEqual(self.comm.Get_attr(keyval), {"any": "object"})
        self.comm.Delete_attr(keyval)
        self.assertIsNone(self.comm.Get_attr(keyval))
        self.assertEqual(MPI.Comm.Free_keyval(keyval), MPI.KEYVAL_INVALID)

    def test_not_copied(self):
        keyval = MPI.Comm.Create_keyval()
        self.comm.Set_attr(keyval, 1)
        other = self.comm.Dup()
        self.assertIsNone(other.Get_attr(keyval))
        other.Free()
        self.comm.Delete_attr(keyval)
        MPI.Comm.Free_keyval(keyval)

    def test_callbacks(self):
        called = []

        def copy(comm, keyval, value):
            called.append(("copy", value))
            return value + 1

        def delete(comm, keyval, value):
            called.append(("delete", value))

        keyval = MPI.Comm.Create_keyval(copy, delete)
        self.comm.Set_attr(keyval, 1)
        other = self.comm.Dup()
        self.assertEqual(other.Get_attr(keyval), 2)
        other.Free()
        self.comm.Delete_attr(keyval)
        MPI.Comm.Free_keyval(keyval)
        self.assertEqual(called, [("copy", 1), ("delete", 2), ("delete", 1)])

    def test_callback_that_does_not_copy(self):
        keyval = MPI.Comm.Create_keyval(lambda comm, keyval, value: NotImplemented)
        self.comm.Set_attr(keyval, 1)
        other = self.comm.Dup()
        self.assertIsNone(other.Get_attr(keyval))
        other.Free()
        self.comm.Delete_attr(keyval)
        MPI.Comm.Free_keyval(keyval)

    def test_callback_that_communicates_elsewhere(self):
        keyval = MPI.Comm.Create_keyval(None, lambda comm, keyval, value: MPI.COMM_SELF.Barrier())
        comm = self.comm.Dup()
        comm.Set_attr(keyval, 1)
        comm.Free()
        MPI.Comm.Free_keyval(keyval)

    def test_datatype(self):
        called = []
        keyval = MPI.Datatype.Create_keyval(None, lambda datatype, keyval, value: called.append(value))
        datatype = MPI.INT.Dup()
        datatype.Set_attr(keyval, "t")
        self.assertEqual(datatype.Get_attr(keyval), "t")
        datatype.Free()
        self.assertEqual(called, ["t"])
        MPI.Datatype.Free_keyval(keyval)

    def test_window(self):
        keyval = MPI.Win.Create_keyval(nopython=False)
        window = MPI.Win.Create(numpy.zeros(1), comm=self.comm)
        window.Set_attr(keyval, [1])
        self.assertEqual(window.Get_attr(keyval), [1])
        window.Delete_attr(keyval)
        window.Free()
        MPI.Win.Free_keyval(keyval)
