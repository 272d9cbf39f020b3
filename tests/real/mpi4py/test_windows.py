"""One-sided communication."""
import numpy
from mpi4py import MPI

from common import Case


class Base(Case):
    def setUp(self):
        super().setUp()
        self.memory = numpy.full(8, -1.0)
        self.window = self.open()

    def open(self):
        return MPI.Win.Create(self.memory, 8, comm=self.comm)

    def tearDown(self):
        self.window.Free()
        super().tearDown()


class Fence(Base):
    def test_put(self):
        self.window.Fence()
        self.window.Put(numpy.full(2, float(self.rank)), self.next, 3)
        self.window.Fence()
        self.same(self.memory, [-1] * 3 + [self.previous] * 2 + [-1] * 3)

    def test_get(self):
        self.memory[:] = self.rank
        into = numpy.zeros(3)
        self.window.Fence()
        self.window.Get(into, self.next)
        self.window.Fence()
        self.same(into, [self.next] * 3)

    def test_accumulate(self):
        self.memory[:] = 0
        self.window.Fence()
        for other in range(self.size):
            self.window.Accumulate(numpy.array([self.rank + 1.0]), other, op=MPI.SUM)
        self.window.Fence()
        self.assertEqual(self.memory[0], self.size * (self.size + 1) / 2)

    def test_accumulate_operators(self):
        self.memory[:] = 2
        for operator, expected in ((MPI.PROD, 6), (MPI.MAX, 6), (MPI.MIN, 3), (MPI.REPLACE, 3)):
            self.window.Fence()
            self.window.Accumulate(numpy.array([3.0]), self.next, op=operator)
            self.window.Fence()
            self.assertEqual(self.memory[0], expected)

    def test_get_accumulate(self):
        self.memory[:] = self.rank
        into = numpy.zeros(1)
        self.window.Fence()
        self.window.Get_accumulate(numpy.array([10.0]), into, self.next)
        self.window.Fence()
        self.assertEqual((into[0], self.memory[0]), (self.next, self.rank + 10))

    def test_target_type(self):
        vector = MPI.DOUBLE.Create_vector(3, 1, 2).Commit()
        self.window.Fence()
        self.window.Put([numpy.ones(3), MPI.DOUBLE], self.next, (1, 1, vector))
        self.window.Fence()
        self.same(self.memory, [-1, 1, -1, 1, -1, 1, -1, -1])
        vector.Free()

    def test_proc_null(self):
        self.window.Fence()
        self.window.Put(numpy.ones(1), MPI.PROC_NULL)
        self.window.Get(numpy.ones(1), MPI.PROC_NULL)
        self.window.Fence()

    def test_assertions(self):
        self.window.Fence(MPI.MODE_NOPRECEDE)
        self.window.Put(numpy.ones(1), self.next)
        self.window.Fence(MPI.MODE_NOSUCCEED | MPI.MODE_NOSTORE)


class Start(Base):
    def setUp(self):
        super().setUp()
        everybody = self.comm.Get_group()
        self.to, self.origin = everybody.Incl([self.next]), everybody.Incl([self.previous])
        everybody.Free()

    def tearDown(self):
        self.to.Free()
        self.origin.Free()
        super().tearDown()

    def test_put(self):
        self.window.Post(self.origin)
        self.window.Start(self.to)
        self.window.Put(numpy.array([self.rank + 0.5]), self.next)
        self.window.Complete()
        self.window.Wait()
        self.assertEqual(self.memory[0], self.previous + 0.5)

    def test_tested(self):
        self.window.Post(self.origin)
        self.window.Start(self.to)
        self.window.Accumulate(numpy.array([5.0]), self.next, op=MPI.REPLACE)
        self.window.Complete()
        while not self.window.Test():
            pass
        self.assertEqual(self.memory[0], 5)


class Lock(Base):
    def test_exclusive(self):
        self.memory[:] = 0
        self.comm.Barrier()
        for _ in range(3):
            self.window.Lock(0, MPI.LOCK_EXCLUSIVE)
            self.window.Accumulate(numpy.ones(1), 0)
            self.window.Unlock(0)
        self.comm.Barrier()
        self.window.Lock(self.rank)
        self.assertEqual(self.memory[0], 3 * self.size if self.rank == 0 else 0)
        self.window.Unlock(self.rank)

    def test_shared(self):
        self.memory[:] = self.rank
        self.comm.Barrier()
        into = numpy.zeros(1)
        self.window.Lock(self.next, MPI.LOCK_SHARED)
        self.window.Get(into, self.next)
        self.window.Unlock(self.next)
        self.assertEqual(into[0], self.next)

    def test_lock_all(self):
        self.memory[:] = 0
        self.comm.Barrier()
        self.window.Lock_all()
        for other in range(self.size):
            self.window.Accumulate(numpy.ones(2), other)
        self.window.Unlock_all()
        self.comm.Barrier()
        self.same(self.memory[:2], [self.size] * 2)

    def test_flush(self):
        self.comm.Barrier()
        self.window.Lock_all()
        out, into = numpy.array([self.rank + 1.0]), numpy.zeros(1)
        self.window.Put(out, self.next, self.rank)
        self.window.Flush_local(self.next)
        self.window.Flush(self.next)
        self.window.Get(into, self.next, self.rank)
        self.window.Flush_local_all()
        self.window.Flush_all()
        self.assertEqual(into[0], self.rank + 1)
        self.window.Sync()
        self.window.Unlock_all()

    def test_fetch_and_op(self):
        """A counter that each rank draws a number from."""
        self.memory[:] = 0
        self.comm.Barrier()
        drawn = numpy.zeros(1)
        self.window.Lock(0, MPI.LOCK_SHARED)
        self.window.Fetch_and_op(numpy.ones(1), drawn, 0, 0, MPI.SUM)
        self.window.Unlock(0)
        self.assertEqual(sorted(self.comm.allgather(int(drawn[0]))), list(range(self.size)))

    def test_no_op(self):
        self.memory[:] = self.rank
        self.comm.Barrier()
        into = numpy.zeros(1)
        self.window.Lock(self.next, MPI.LOCK_SHARED)
        self.window.Fetch_and_op(numpy.zeros(1), into, self.next, 0, MPI.NO_OP)
        self.window.Unlock(self.next)
        self.assertEqual(into[0], self.next)

    def test_requests(self):
        self.memory[:] = self.rank
        self.comm.Barrier()
        into, before = numpy.zeros(1), numpy.zeros(1)
        self.window.Lock_all()
        self.window.Rput(numpy.ones(1), self.next, 1).Wait()
        self.window.Rget(into, self.next, 2).Wait()
        self.window.Raccumulate(numpy.ones(1), self.next, 3).Wait()
        self.window.Rget_accumulate(numpy.ones(1), before, self.next, 4).Wait()
        self.window.Unlock_all()
        self.comm.Barrier()
        self.assertEqual((into[0], before[0]), (self.next, self.next))
        self.same(self.memory[:5], [self.rank, 1, self.rank, self.rank + 1, self.rank + 1])


class Compare(Case):
    def test_compare_and_swap(self):
        """One rank alone finds what it expects."""
        memory = numpy.zeros(1, "l")
        window = MPI.Win.Create(memory, 8, comm=self.comm)
        found = numpy.zeros(1, "l")
        window.Lock(0, MPI.LOCK_SHARED)
        window.Compare_and_swap(numpy.array([self.rank + 1]), numpy.array([0]), found, 0, 0)
        window.Unlock(0)
        everyone = self.comm.allgather(int(found[0]))
        self.assertEqual(everyone.count(0), 1)
        window.Free()


class Kinds(Case):
    def check(self, window):
        window.Fence()
        window.Put(numpy.array([self.rank], "i"), self.next)
        window.Fence()
        into = numpy.zeros(1, "i")
        window.Get(into, self.next)
        window.Fence()
        self.assertEqual(into[0], self.rank)
        window.Free()
        self.assertEqual(window, MPI.WIN_NULL)

    def test_create(self):
        self.check(MPI.Win.Create(numpy.zeros(4, "i"), 4, comm=self.comm))

    def test_allocate(self):
        window = MPI.Win.Allocate(16, 4, comm=self.comm)
        self.assertEqual(len(window.tomemory()), 16)
        self.check(window)

    def test_allocate_shared(self):
        window = MPI.Win.Allocate_shared(16, 4, comm=self.comm)
        memory, unit = window.Shared_query(0)
        self.assertEqual((len(memory), unit), (16, 4))
        self.check(window)

    def test_shared_memory(self):
        window = MPI.Win.Allocate_shared(8, 8, comm=self.comm)
        mine = numpy.frombuffer(window.tomemory(), "l")
        theirs = numpy.frombuffer(window.Shared_query(self.next)[0], "l")
        window.Lock_all()
        mine[0] = self.rank
        window.Sync()
        self.comm.Barrier()
        window.Sync()
        self.assertEqual(theirs[0], self.next)
        self.comm.Barrier()
        window.Unlock_all()
        window.Free()

    def test_create_dynamic(self):
        window = MPI.Win.Create_dynamic(comm=self.comm)
        memory = numpy.full(2, float(self.rank))
        window.Attach(memory)
        address = self.comm.sendrecv(MPI.Get_address(memory), self.previous, source=self.next)
        into = numpy.zeros(2)
        self.comm.Barrier()
        window.Lock(self.next, MPI.LOCK_SHARED)
        window.Get(into, self.next, address)
        window.Unlock(self.next)
        self.same(into, [self.next] * 2)
        self.comm.Barrier()
        window.Detach(memory)
        window.Free()

    def test_without_memory(self):
        window = MPI.Win.Create(None, comm=self.comm)
        window.Fence()
        window.Free()

    def test_attributes(self):
        memory = numpy.zeros(4)
        window = MPI.Win.Create(memory, 8, comm=self.comm)
        self.assertEqual(window.Get_attr(MPI.WIN_BASE), memory.ctypes.data)
        self.assertEqual((window.Get_attr(MPI.WIN_SIZE), window.Get_attr(MPI.WIN_DISP_UNIT)), (32, 8))
        self.assertEqual(window.Get_attr(MPI.WIN_CREATE_FLAVOR), MPI.WIN_FLAVOR_CREATE)
        self.assertIn(window.Get_attr(MPI.WIN_MODEL), (MPI.WIN_UNIFIED, MPI.WIN_SEPARATE))
        self.assertEqual(window.attrs, (memory.ctypes.data, 32, 8))
        window.Free()

    def test_properties(self):
        window = MPI.Win.Create(bytearray(8), comm=self.comm)
        window.Set_name("window")
        self.assertEqual(window.name, "window")
        group = window.Get_group()
        self.assertEqual(group.Get_size(), self.size)
        group.Free()
        info = window.Get_info()
        window.Set_info(info)
        info.Free()
        self.assertEqual(MPI.Win.f2py(window.py2f()), window)
        window.Free()

    def test_info(self):
        info = MPI.Info.Create()
        info.Set("no_locks", "true")
        self.check(MPI.Win.Allocate(16, 4, info, self.comm))
        info.Free()
