"""Collectives, with objects and with buffers, blocking and not."""
import numpy
from mpi4py import MPI

from common import TYPECODES, Alone, Case, Reversed, Shape, two_sides

THINGS = [None, 1.5, "text", [1, 2], {"a": (1,)}, Shape("circle", 0)]


class Objects(Case):
    def roots(self):
        return range(self.size)

    def test_barrier(self):
        self.comm.barrier()
        self.comm.Barrier()

    def test_bcast(self):
        for root in self.roots():
            for thing in THINGS:
                self.assertEqual(self.comm.bcast(thing if self.rank == root else "nothing", root), thing)

    def test_bcast_large(self):
        data = self.comm.bcast(list(range(20000)) if self.rank == 0 else None)
        self.assertEqual(sum(data), sum(range(20000)))

    def test_gather(self):
        for root in self.roots():
            back = self.comm.gather({"rank": self.rank}, root)
            self.assertEqual(back, [{"rank": rank} for rank in range(self.size)] if self.rank == root else None)

    def test_gather_of_different_sizes(self):
        back = self.comm.gather("x" * (self.rank * 100))
        if self.rank == 0:
            self.assertEqual([len(thing) for thing in back], [rank * 100 for rank in range(self.size)])

    def test_scatter(self):
        for root in self.roots():
            out = [(root, rank) for rank in range(self.size)] if self.rank == root else None
            self.assertEqual(self.comm.scatter(out, root), (root, self.rank))

    def test_scatter_of_the_wrong_length(self):
        if self.size == 1:
            with self.assertRaises(ValueError):
                self.comm.scatter([1, 2])

    def test_allgather(self):
        for thing in THINGS:
            self.assertEqual(self.comm.allgather((self.rank, thing)), [(rank, thing) for rank in range(self.size)])

    def test_alltoall(self):
        back = self.comm.alltoall([(self.rank, other) for other in range(self.size)])
        self.assertEqual(back, [(other, self.rank) for other in range(self.size)])

    def test_reduce(self):
        for root in self.roots():
            back = self.comm.reduce(self.rank + 1, MPI.SUM, root)
            self.assertEqual(back, self.size * (self.size + 1) // 2 if self.rank == root else None)

    def test_reduce_with_a_function(self):
        back = self.comm.reduce([self.rank], lambda left, right: left + right)
        self.assertEqual(back, list(range(self.size)) if self.rank == 0 else None)

    def test_allreduce(self):
        ranks = range(self.size)
        for operator, expected in ((MPI.SUM, sum(ranks)), (MPI.MAX, self.size - 1), (MPI.MIN, 0)):
            self.assertEqual(self.comm.allreduce(self.rank, operator), expected)

    def test_allreduce_of_locations(self):
        self.assertEqual(self.comm.allreduce((self.rank % 2, self.rank), MPI.MAXLOC), (min(1, self.size - 1),) * 2)
        self.assertEqual(self.comm.allreduce((7, self.rank), MPI.MINLOC), (7, 0))

    def test_allreduce_of_strings(self):
        self.assertEqual(self.comm.allreduce(str(self.rank)), "".join(map(str, range(self.size))))

    def test_allreduce_of_truth(self):
        self.assertEqual(self.comm.allreduce(self.rank == 0, MPI.LAND), self.size == 1)
        self.assertEqual(self.comm.allreduce(self.rank == 0, MPI.LOR), True)
        self.assertEqual(self.comm.allreduce(1 << self.rank, MPI.BOR), (1 << self.size) - 1)

    def test_scan(self):
        self.assertEqual(self.comm.scan(self.rank), sum(range(self.rank + 1)))

    def test_exscan(self):
        self.assertEqual(self.comm.exscan([self.rank], MPI.SUM), list(range(self.rank)) if self.rank else None)


class ObjectsReversed(Reversed, Objects):
    pass


class ObjectsAlone(Alone, Objects):
    pass


class Buffers(Case):
    """Each call in its blocking form; Nonblocking has the other one."""

    def call(self, name, *arguments, **named):
        getattr(self.comm, name)(*arguments, **named)

    def line(self, *numbers, typecode="d"):
        return numpy.array(numbers, typecode)

    def test_barrier(self):
        self.call("Barrier")

    def test_bcast(self):
        for typecode in TYPECODES:
            for root in range(self.size):
                data = numpy.full(4, root + 1 if self.rank == root else 0, typecode)
                self.call("Bcast", data, root)
                self.same(data, [root + 1] * 4)

    def test_bcast_large(self):
        data = numpy.arange(1 << 17) * (self.rank == 0)
        self.call("Bcast", data)
        self.assertEqual(data[-1], (1 << 17) - 1)

    def test_bcast_of_a_derived_type(self):
        vector = MPI.INT.Create_vector(3, 1, 2).Commit()
        data = numpy.arange(6, dtype="i") * (self.rank == 0)
        self.call("Bcast", [data, 1, vector])
        self.same(data[::2], [0, 2, 4])
        vector.Free()

    def test_gather(self):
        for root in range(self.size):
            into = numpy.zeros((self.size, 2)) if self.rank == root else None
            self.call("Gather", self.line(self.rank, root), into, root)
            if self.rank == root:
                self.same(into, [[rank, root] for rank in range(self.size)])

    def test_gather_in_place(self):
        into = numpy.full(self.size, float(self.rank))
        self.call("Gather", MPI.IN_PLACE if self.rank == 0 else into[:1].copy(), into if self.rank == 0 else None)
        self.same(into, range(self.size) if self.rank == 0 else [self.rank] * self.size)

    def counts(self):
        counts = [rank + 1 for rank in range(self.size)]
        return counts, [sum(counts[:rank]) for rank in range(self.size)]

    def ramp(self):
        return [rank for rank in range(self.size) for _ in range(rank + 1)]

    def test_gatherv(self):
        counts, displacements = self.counts()
        for root in range(self.size):
            into = numpy.zeros(sum(counts))
            self.call("Gatherv", numpy.full(self.rank + 1, float(self.rank)), [into, counts, displacements, MPI.DOUBLE],
                      root)
            self.same(into, self.ramp() if self.rank == root else [0] * sum(counts))

    def test_scatter(self):
        for root in range(self.size):
            out = numpy.arange(self.size * 2, dtype="d") if self.rank == root else None
            into = numpy.zeros(2)
            self.call("Scatter", out, into, root)
            self.same(into, [2 * self.rank, 2 * self.rank + 1])

    def test_scatterv(self):
        counts, displacements = self.counts()
        into = numpy.zeros(self.rank + 1)
        self.call("Scatterv", [numpy.array(self.ramp(), "d"), counts, displacements, MPI.DOUBLE], into)
        self.same(into, [self.rank] * (self.rank + 1))

    def test_allgather(self):
        for typecode in TYPECODES:
            into = numpy.zeros(self.size, typecode)
            self.call("Allgather", self.line(self.rank, typecode=typecode), into)
            self.same(into, range(self.size))

    def test_allgather_in_place(self):
        into = numpy.zeros(self.size)
        into[self.rank] = self.rank
        self.call("Allgather", MPI.IN_PLACE, into)
        self.same(into, range(self.size))

    def test_allgatherv(self):
        counts, displacements = self.counts()
        into = numpy.zeros(sum(counts))
        self.call("Allgatherv", numpy.full(self.rank + 1, float(self.rank)), [into, counts, displacements, MPI.DOUBLE])
        self.same(into, self.ramp())

    def test_alltoall(self):
        out = numpy.arange(self.size, dtype="i") + 10 * self.rank
        into = numpy.zeros(self.size, "i")
        self.call("Alltoall", out, into)
        self.same(into, [self.rank + 10 * other for other in range(self.size)])

    def test_alltoall_in_place(self):
        data = numpy.arange(self.size, dtype="i") + 10 * self.rank
        self.call("Alltoall", MPI.IN_PLACE, data)
        self.same(data, [self.rank + 10 * other for other in range(self.size)])

    def test_alltoallv(self):
        counts, displacements = self.counts()
        out = numpy.full(sum(counts), float(self.rank))
        into = numpy.zeros(self.size * (self.rank + 1))
        every = [self.rank + 1] * self.size
        self.call("Alltoallv", [out, counts, displacements, MPI.DOUBLE],
                  [into, every, [(self.rank + 1) * other for other in range(self.size)], MPI.DOUBLE])
        self.same(into, [other for other in range(self.size) for _ in range(self.rank + 1)])

    def test_alltoallw(self):
        out, into = numpy.arange(self.size, dtype="i") + 10 * self.rank, numpy.zeros(self.size, "i")
        ones, places, types = [1] * self.size, [4 * other for other in range(self.size)], [MPI.INT] * self.size
        self.call("Alltoallw", [out, ones, places, types], [into, ones, places, types])
        self.same(into, [self.rank + 10 * other for other in range(self.size)])

    def test_reduce(self):
        for root in range(self.size):
            into = numpy.zeros(2) if self.rank == root else None
            self.call("Reduce", self.line(self.rank, 1), into, op=MPI.SUM, root=root)
            if self.rank == root:
                self.same(into, [sum(range(self.size)), self.size])

    def test_reduce_in_place(self):
        data = self.line(self.rank + 1)
        self.call("Reduce", MPI.IN_PLACE if self.rank == 0 else data, data if self.rank == 0 else None, op=MPI.PROD)
        self.assertEqual(data[0], numpy.prod(range(1, self.size + 1)) if self.rank == 0 else self.rank + 1)

    def test_allreduce(self):
        for typecode in TYPECODES:
            for operator, expected in ((MPI.SUM, self.size * (self.size + 1) // 2), (MPI.MAX, self.size), (MPI.MIN, 1)):
                into = numpy.zeros(1, typecode)
                self.call("Allreduce", self.line(self.rank + 1, typecode=typecode), into, op=operator)
                self.assertEqual(into[0], expected)

    def test_allreduce_of_bits(self):
        for operator, expected in ((MPI.BOR, (1 << self.size) - 1), (MPI.BXOR, (1 << self.size) - 1),
                                   (MPI.BAND, 1 if self.size == 1 else 0), (MPI.LAND, 1), (MPI.LOR, 1)):
            into = numpy.zeros(1, "i")
            self.call("Allreduce", self.line(1 << self.rank, typecode="i"), into, op=operator)
            self.assertEqual(into[0], expected)

    def test_allreduce_in_place(self):
        data = self.line(1, self.rank)
        self.call("Allreduce", MPI.IN_PLACE, data)
        self.same(data, [self.size, sum(range(self.size))])

    def test_allreduce_of_locations(self):
        pair = numpy.dtype([("value", "d"), ("place", "i")], align=True)
        data, into = numpy.array([(-self.rank, self.rank)], pair), numpy.zeros(1, pair)
        self.call("Allreduce", [data, 1, MPI.DOUBLE_INT], [into, 1, MPI.DOUBLE_INT], op=MPI.MINLOC)
        self.assertEqual((into["value"][0], into["place"][0]), (1 - self.size, self.size - 1))

    def test_allreduce_of_complex(self):
        into = numpy.zeros(1, complex)
        self.call("Allreduce", numpy.array([1j * self.rank]), into)
        self.assertEqual(into[0], 1j * sum(range(self.size)))

    def test_reduce_scatter_block(self):
        into = numpy.zeros(2)
        self.call("Reduce_scatter_block", numpy.arange(self.size * 2.0), into)
        self.same(into, [2 * self.rank * self.size, (2 * self.rank + 1) * self.size])

    def test_reduce_scatter(self):
        counts, _ = self.counts()
        into = numpy.zeros(self.rank + 1)
        self.call("Reduce_scatter", numpy.array(self.ramp(), "d"), into, counts)
        self.same(into, [self.rank * self.size] * (self.rank + 1))

    def test_scan(self):
        into = numpy.zeros(1)
        self.call("Scan", self.line(self.rank), into)
        self.assertEqual(into[0], sum(range(self.rank + 1)))

    def test_scan_in_place(self):
        data = self.line(self.rank)
        self.call("Scan", MPI.IN_PLACE, data)
        self.assertEqual(data[0], sum(range(self.rank + 1)))

    def test_exscan(self):
        into = numpy.full(1, -1.0)
        self.call("Exscan", self.line(self.rank), into)
        self.assertEqual(into[0], sum(range(self.rank)) if self.rank else into[0])


class BuffersReversed(Reversed, Buffers):
    pass


class BuffersAlone(Alone, Buffers):
    pass


class Nonblocking(Buffers):
    def call(self, name, *arguments, **named):
        getattr(self.comm, "I" + name.lower())(*arguments, **named).Wait()

    def test_two_at_once(self):
        first, second = numpy.zeros(1), numpy.zeros(1)
        requests = [self.comm.Iallreduce(self.line(1), first), self.comm.Iallreduce(self.line(2), second)]
        MPI.Request.Waitall(requests[::-1])
        self.assertEqual((first[0], second[0]), (self.size, 2 * self.size))

    def test_tested(self):
        request = self.comm.Ibarrier()
        while not request.Test():
            pass

    def test_with_messages(self):
        """The collective and a receive in one array."""
        data, total = numpy.zeros(1), numpy.zeros(1)
        requests = [self.comm.Irecv(data, self.previous), self.comm.Iallreduce(self.line(self.rank), total),
                    self.comm.Isend(self.line(self.rank), self.next)]
        left = set(range(3))
        while left:
            left.remove(MPI.Request.Waitany(requests))
        self.assertEqual((data[0], total[0]), (self.previous, sum(range(self.size))))

    def test_waitsome(self):
        requests = [self.comm.Ibarrier() for _ in range(3)]
        done = []
        while len(done) < 3:
            done += MPI.Request.Waitsome(requests)
        self.assertEqual(sorted(done), [0, 1, 2])


class NonblockingAlone(Alone, Nonblocking):
    pass


class Local(Case):
    def test_reduce_local(self):
        into = numpy.array([1.0, 2])
        MPI.SUM.Reduce_local(numpy.array([10.0, 20]), into)
        self.same(into, [11, 22])

    def test_operators_called(self):
        self.assertEqual((MPI.SUM(2, 3), MPI.PROD(2, 3), MPI.MAX(2, 3), MPI.MIN(2, 3)), (5, 6, 3, 2))
        self.assertEqual((MPI.LAND(1, 0), MPI.LOR(1, 0), MPI.LXOR(1, 1)), (False, True, False))
        self.assertEqual((MPI.BAND(6, 3), MPI.BOR(6, 3), MPI.BXOR(6, 3)), (2, 7, 5))
        self.assertEqual((MPI.MAXLOC((1, 2), (1, 1)), MPI.MINLOC((3, 0), (1, 1))), ((1, 1), (1, 1)))


class Inter(Case):
    """Between the even and the odd ranks."""

    def communicator(self):
        comm, self.local = two_sides(self)
        self.side, self.others = MPI.COMM_WORLD.Get_rank() % 2, comm.Get_remote_size()
        return comm

    def tearDown(self):
        super().tearDown()
        self.local.Free()

    def root(self, side):
        """The root's name on each side, where rank 0 of this side is the root."""
        if self.side != side:
            return 0
        return MPI.ROOT if self.rank == 0 else MPI.PROC_NULL

    def test_barrier(self):
        self.comm.Barrier()

    def test_bcast(self):
        for side in (0, 1):
            back = self.comm.bcast({"side": side}, self.root(side))
            if self.side != side:
                self.assertEqual(back, {"side": side})

    def test_bcast_buffer(self):
        for side in (0, 1):
            data = numpy.full(3, float(self.side))
            self.comm.Bcast(data, self.root(side))
            self.same(data, [side if self.side != side or self.root(side) == MPI.ROOT else self.side] * 3)

    def test_gather(self):
        for side in (0, 1):
            back = self.comm.gather(self.rank, self.root(side))
            self.assertEqual(back, list(range(self.others)) if self.root(side) == MPI.ROOT else None)

    def test_scatter(self):
        for side in (0, 1):
            out = [number * 2 for number in range(self.others)] if self.root(side) == MPI.ROOT else None
            back = self.comm.scatter(out, self.root(side))
            if self.side != side:
                self.assertEqual(back, self.rank * 2)

    def test_allgather(self):
        self.assertEqual(self.comm.allgather((self.side, self.rank)),
                         [(1 - self.side, rank) for rank in range(self.others)])

    def test_allgather_buffer(self):
        into = numpy.zeros(self.others)
        self.comm.Allgather(numpy.array([self.side + 5.0]), into)
        self.same(into, [6 - self.side] * self.others)

    def test_alltoall(self):
        back = self.comm.alltoall([(self.side, self.rank, other) for other in range(self.others)])
        self.assertEqual(back, [(1 - self.side, other, self.rank) for other in range(self.others)])

    def test_reduce(self):
        for side in (0, 1):
            back = self.comm.reduce(1, MPI.SUM, self.root(side))
            self.assertEqual(back, self.others if self.root(side) == MPI.ROOT else None)

    def test_allreduce(self):
        self.assertEqual(self.comm.allreduce(1), self.others)

    def test_allreduce_buffer(self):
        into = numpy.zeros(1)
        self.comm.Allreduce(numpy.array([self.side + 1.0]), into)
        self.assertEqual(into[0], self.others * (2 - self.side))

    def test_iallreduce(self):
        into = numpy.zeros(1)
        self.comm.Iallreduce(numpy.array([self.side + 1.0]), into).Wait()
        self.assertEqual(into[0], self.others * (2 - self.side))

    def test_ibarrier(self):
        self.comm.Ibarrier().Wait()

    def test_ibcast(self):
        data = numpy.full(1, float(self.side))
        self.comm.Ibcast(data, self.root(1)).Wait()
        self.assertEqual(data[0], 1 if self.side == 0 or self.rank == 0 else self.side)

    def test_messages(self):
        request = self.comm.isend(("from", self.rank), self.rank) if self.rank < self.others else MPI.REQUEST_NULL
        if self.rank < self.others:
            status = MPI.Status()
            self.assertEqual(self.comm.recv(status=status), ("from", self.rank))
            self.assertEqual(status.source, self.rank)
        request.wait()

    def test_merge(self):
        for high in (False, True):
            merged = self.comm.Merge(high == self.side)
            self.assertEqual(merged.Get_size(), self.size + self.others)
            self.assertEqual(merged.allreduce(1), self.size + self.others)
            merged.Free()

    def test_dup(self):
        again = self.comm.Dup()
        self.assertEqual(MPI.Comm.Compare(self.comm, again), MPI.CONGRUENT)
        self.assertEqual(again.allreduce(1), self.others)
        again.Free()

    def test_split(self):
        part = self.comm.Split(0, self.rank)
        self.assertTrue(part.Is_inter())
        self.assertEqual(part.Get_remote_size(), self.others)
        part.Free()

    def test_groups(self):
        mine, theirs = self.comm.Get_group(), self.comm.Get_remote_group()
        self.assertEqual((mine.Get_size(), theirs.Get_size()), (self.size, self.others))
        self.assertEqual(MPI.Group.Intersect(mine, theirs).Get_size(), 0)
        mine.Free()
        theirs.Free()
