"""MPI-IO."""
import os
import tempfile

import numpy
from mpi4py import MPI

from common import Case

NEW = MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE


class Base(Case):
    def setUp(self):
        super().setUp()
        self.name = self.comm.bcast(tempfile.mktemp(".mpi", "dampi-") if self.rank == 0 else None)
        self.file = MPI.File.Open(self.comm, self.name, NEW)

    def tearDown(self):
        if self.file:
            self.file.Close()
        super().tearDown()

    def numbers(self, rank=None):
        return numpy.arange(4, dtype="i") + 10 * (self.rank if rank is None else rank)

    def settle(self):
        """What all have written is there for all."""
        self.file.Sync()
        self.comm.Barrier()
        self.file.Sync()


class Handles(Base):
    def test_open_close(self):
        self.assertTrue(os.path.exists(self.name))
        self.comm.Barrier()
        self.file.Close()
        self.assertEqual(self.file, MPI.FILE_NULL)
        self.comm.Barrier()
        self.assertFalse(os.path.exists(self.name))

    def test_size(self):
        self.file.Set_size(100)
        self.assertEqual((self.file.Get_size(), self.file.size), (100, 100))
        self.comm.Barrier()
        self.file.Preallocate(200)
        self.assertEqual(self.file.Get_size(), 200)

    def test_properties(self):
        self.assertEqual(self.file.Get_amode(), NEW)
        self.assertEqual(self.file.amode, NEW)
        group = self.file.Get_group()
        self.assertEqual(group.Get_size(), self.size)
        group.Free()

    def test_info(self):
        info = self.file.Get_info()
        self.file.Set_info(info)
        info.Free()

    def test_view(self):
        self.file.Set_view(8, MPI.INT, MPI.INT, "native")
        self.assertEqual(self.file.Get_view(), (8, MPI.INT, MPI.INT, "native"))
        self.assertEqual(self.file.Get_byte_offset(3), 20)

    def test_atomicity(self):
        self.assertFalse(self.file.Get_atomicity())
        self.file.Set_atomicity(True)
        self.assertTrue(self.file.atomicity)
        self.file.Set_atomicity(False)

    def test_seek(self):
        for whence, offset, expected in ((MPI.SEEK_SET, 10, 10), (MPI.SEEK_CUR, 5, 15), (MPI.SEEK_END, 0, 0)):
            self.file.Seek(offset, whence)
            self.assertEqual(self.file.Get_position(), expected)

    def test_extent(self):
        self.assertEqual(self.file.Get_type_extent(MPI.DOUBLE), 8)

    def test_alone(self):
        name = tempfile.mktemp(".mpi", "dampi-")
        file = MPI.File.Open(MPI.COMM_SELF, name, NEW)
        file.Write(b"alone")
        back = bytearray(5)
        file.Read_at(0, back)
        self.assertEqual(back, b"alone")
        file.Close()

    def test_delete(self):
        name = tempfile.mktemp(".mpi", "dampi-")
        MPI.File.Open(MPI.COMM_SELF, name, MPI.MODE_CREATE | MPI.MODE_WRONLY).Close()
        MPI.File.Delete(name)
        self.assertFalse(os.path.exists(name))

    def test_missing(self):
        self.refused(MPI.ERR_NO_SUCH_FILE, MPI.File.Open, self.comm, self.name + ".none", MPI.MODE_RDONLY)

    def test_handle(self):
        self.assertEqual(MPI.File.f2py(self.file.py2f()), self.file)


class Access(Base):
    """Each rank writes its part, and reads that of the next one."""

    def explicit(self, write, read):
        write(16 * self.rank, self.numbers())
        self.settle()
        into = numpy.zeros(4, "i")
        read(16 * self.next, into)
        self.same(into, self.numbers(self.next))

    def own(self, write, read):
        """With the file pointers of each rank."""
        self.file.Seek(16 * self.rank)
        write(self.numbers())
        self.assertEqual(self.file.Get_position(), 16 * (self.rank + 1))
        self.settle()
        into = numpy.zeros(4, "i")
        self.file.Seek(16 * self.next)
        read(into)
        self.same(into, self.numbers(self.next))

    def shared(self, write, read):
        """Who comes first is not known, but all parts are there."""
        write(self.numbers())
        self.settle()
        every = numpy.zeros((self.size, 4), "i")
        self.file.Read_at(0, every)
        self.assertEqual(sorted(every.tolist()), [self.numbers(rank).tolist() for rank in range(self.size)])
        self.file.Seek_shared(0)
        self.comm.Barrier()
        into = numpy.zeros(4, "i")
        read(into)
        self.assertEqual(sorted(self.comm.allgather(into.tolist())), sorted(every.tolist()))

    def waiting(self, function):
        return lambda *arguments: function(*arguments).Wait()

    def split(self, name):
        def both(*arguments):
            getattr(self.file, name + "_begin")(*arguments)
            getattr(self.file, name + "_end")(arguments[-1])
        return both

    def test_at(self):
        self.explicit(self.file.Write_at, self.file.Read_at)

    def test_at_all(self):
        self.explicit(self.file.Write_at_all, self.file.Read_at_all)

    def test_iat(self):
        self.explicit(self.waiting(self.file.Iwrite_at), self.waiting(self.file.Iread_at))

    def test_iat_all(self):
        self.explicit(self.waiting(self.file.Iwrite_at_all), self.waiting(self.file.Iread_at_all))

    def test_at_all_split(self):
        self.explicit(self.split("Write_at_all"), self.split("Read_at_all"))

    def test_own(self):
        self.own(self.file.Write, self.file.Read)

    def test_all(self):
        self.own(self.file.Write_all, self.file.Read_all)

    def test_i(self):
        self.own(self.waiting(self.file.Iwrite), self.waiting(self.file.Iread))

    def test_iall(self):
        self.own(self.waiting(self.file.Iwrite_all), self.waiting(self.file.Iread_all))

    def test_all_split(self):
        self.own(self.split("Write_all"), self.split("Read_all"))

    def test_shared(self):
        self.shared(self.file.Write_shared, self.file.Read_shared)

    def test_ishared(self):
        self.shared(self.waiting(self.file.Iwrite_shared), self.waiting(self.file.Iread_shared))

    def test_ordered(self):
        self.file.Write_ordered(self.numbers())
        self.assertEqual(self.file.Get_position_shared(), 16 * self.size)
        self.settle()
        self.file.Seek_shared(0)
        into = numpy.zeros(4, "i")
        self.file.Read_ordered(into)
        self.same(into, self.numbers())

    def test_ordered_split(self):
        self.split("Write_ordered")(self.numbers())
        self.settle()
        self.file.Seek_shared(0)
        into = numpy.zeros(4, "i")
        self.split("Read_ordered")(into)
        self.same(into, self.numbers())

    def test_strided_view(self):
        """The parts of the ranks alternate in the file."""
        column = MPI.INT.Create_resized(0, 4 * self.size).Commit()
        self.file.Set_view(4 * self.rank, MPI.INT, column)
        self.file.Write_all(self.numbers())
        self.file.Set_view(0, MPI.INT, MPI.INT)
        self.settle()
        every = numpy.zeros((4, self.size), "i")
        self.file.Read_at_all(0, every)
        self.same(every.T, [self.numbers(rank) for rank in range(self.size)])
        column.Free()

    def test_subarray_view(self):
        tile = MPI.INT.Create_subarray([2, 2 * self.size], [2, 2], [0, 2 * self.rank]).Commit()
        self.file.Set_view(0, MPI.INT, tile)
        self.file.Write_all(self.numbers())
        into = numpy.zeros(4, "i")
        self.file.Seek(0)
        self.file.Read_all(into)
        self.same(into, self.numbers())
        tile.Free()

    def test_status(self):
        status = MPI.Status()
        self.file.Write_at(16 * self.rank, self.numbers(), status)
        self.assertEqual(status.Get_count(MPI.INT), 4)

    def test_end_of_file(self):
        status = MPI.Status()
        self.file.Read_at(0, numpy.zeros(4, "i"), status)
        self.assertEqual(status.Get_count(MPI.INT), 0)

    def test_atomic(self):
        self.file.Set_atomicity(True)
        if self.rank == 0:
            self.file.Write_at(0, self.numbers(5))
        self.comm.Barrier()
        into = numpy.zeros(4, "i")
        self.file.Read_at(0, into)
        self.same(into, self.numbers(5))
