"""Datatypes, packing, operators."""
import numpy
from mpi4py import MPI

from common import Case


class Constructors(Case):
    """Each type takes elements out of a matrix on the way from rank to rank."""

    def takes(self, datatype, expected, base=MPI.INT, count=1):
        datatype.Commit()
        out, into = numpy.arange(24, dtype="i"), numpy.full(len(expected), -1, "i")
        self.comm.Sendrecv([out, count, datatype], self.next, 0, [into, base], self.previous, 0)
        self.same(into, expected)
        datatype.Free()
        self.assertEqual(datatype, MPI.DATATYPE_NULL)

    def test_dup(self):
        self.takes(MPI.INT.Dup(), [0, 1, 2], count=3)

    def test_contiguous(self):
        self.takes(MPI.INT.Create_contiguous(4), [0, 1, 2, 3])

    def test_vector(self):
        self.takes(MPI.INT.Create_vector(3, 2, 5), [0, 1, 5, 6, 10, 11])

    def test_hvector(self):
        self.takes(MPI.INT.Create_hvector(2, 1, 12), [0, 3])

    def test_indexed(self):
        self.takes(MPI.INT.Create_indexed([2, 1], [4, 9]), [4, 5, 9])

    def test_indexed_block(self):
        self.takes(MPI.INT.Create_indexed_block(2, [0, 6, 3]), [0, 1, 6, 7, 3, 4])

    def test_hindexed(self):
        self.takes(MPI.INT.Create_hindexed([1, 2], [8, 20]), [2, 5, 6])

    def test_hindexed_block(self):
        self.takes(MPI.INT.Create_hindexed_block(1, [8, 0]), [2, 0])

    def test_struct(self):
        self.takes(MPI.Datatype.Create_struct([1, 2], [4, 12], [MPI.INT, MPI.INT]), [1, 3, 4])

    def test_subarray(self):
        self.takes(MPI.INT.Create_subarray([4, 6], [2, 3], [1, 2]), [8, 9, 10, 14, 15, 16])

    def test_subarray_fortran(self):
        self.takes(MPI.INT.Create_subarray([6, 4], [3, 2], [2, 1], MPI.ORDER_F), [8, 9, 10, 14, 15, 16])

    def test_darray_block(self):
        self.takes(MPI.INT.Create_darray(2, 1, [24], [MPI.DISTRIBUTE_BLOCK], [MPI.DISTRIBUTE_DFLT_DARG], [2]),
                   list(range(12, 24)))

    def test_darray_cyclic(self):
        self.takes(MPI.INT.Create_darray(4, 1, [24], [MPI.DISTRIBUTE_CYCLIC], [2], [4]), [2, 3, 10, 11, 18, 19])

    def test_resized(self):
        self.takes(MPI.INT.Create_resized(0, 12), [0, 3, 6], count=3)

    def test_of_derived(self):
        pair = MPI.INT.Create_contiguous(2)
        datatype = pair.Create_vector(2, 1, 3)
        pair.Free()
        self.takes(datatype, [0, 1, 6, 7])


class Properties(Case):
    def test_sizes(self):
        for datatype, size in ((MPI.CHAR, 1), (MPI.SHORT, 2), (MPI.INT, 4), (MPI.DOUBLE, 8), (MPI.C_DOUBLE_COMPLEX, 16),
                               (MPI.INT8_T, 1), (MPI.UINT64_T, 8), (MPI.BYTE, 1), (MPI.C_BOOL, 1), (MPI.AINT, 8)):
            self.assertEqual((datatype.Get_size(), datatype.size, datatype.Get_extent()), (size, size, (0, size)))

    def test_extent(self):
        datatype = MPI.INT.Create_resized(-4, 32)
        self.assertEqual((datatype.Get_extent(), datatype.Get_true_extent()), ((-4, 32), (0, 4)))
        self.assertEqual((datatype.lb, datatype.ub, datatype.extent, datatype.true_extent), (-4, 28, 32, 4))
        datatype.Free()

    def test_name(self):
        self.assertEqual(MPI.INT.Get_name(), "MPI_INT")
        datatype = MPI.INT.Dup()
        datatype.Set_name("mine")
        self.assertEqual(datatype.name, "mine")
        datatype.Free()

    def test_decode_predefined(self):
        self.assertEqual(MPI.INT.Get_envelope(), (0, 0, 0, MPI.COMBINER_NAMED))
        self.assertTrue(MPI.INT.is_predefined)
        self.assertTrue(MPI.INT.is_named)

    def test_decode(self):
        made = [(MPI.INT.Dup(), MPI.COMBINER_DUP), (MPI.INT.Create_contiguous(2), MPI.COMBINER_CONTIGUOUS),
                (MPI.INT.Create_vector(2, 1, 3), MPI.COMBINER_VECTOR),
                (MPI.INT.Create_hvector(2, 1, 8), MPI.COMBINER_HVECTOR),
                (MPI.INT.Create_indexed([1], [2]), MPI.COMBINER_INDEXED),
                (MPI.INT.Create_hindexed([1], [8]), MPI.COMBINER_HINDEXED),
                (MPI.INT.Create_indexed_block(1, [2]), MPI.COMBINER_INDEXED_BLOCK),
                (MPI.INT.Create_hindexed_block(1, [8]), MPI.COMBINER_HINDEXED_BLOCK),
                (MPI.Datatype.Create_struct([1], [0], [MPI.INT]), MPI.COMBINER_STRUCT),
                (MPI.INT.Create_subarray([4], [2], [1]), MPI.COMBINER_SUBARRAY),
                (MPI.INT.Create_darray(1, 0, [4], [MPI.DISTRIBUTE_BLOCK], [MPI.DISTRIBUTE_DFLT_DARG], [1]),
                 MPI.COMBINER_DARRAY),
                (MPI.INT.Create_resized(0, 8), MPI.COMBINER_RESIZED)]
        for datatype, combiner in made:
            self.assertEqual(datatype.Get_envelope()[3], combiner)
            old, name, parameters = datatype.decode()
            self.assertFalse(datatype.is_predefined)
            datatype.Free()

    def test_contents(self):
        vector = MPI.INT.Create_vector(3, 2, 5)
        self.assertEqual(vector.Get_contents(), ([3, 2, 5], [], [MPI.INT]))
        self.assertEqual(vector.decode(), (MPI.INT, "VECTOR", {"count": 3, "blocklength": 2, "stride": 5}))
        vector.Free()

    def test_contents_of_derived(self):
        pair = MPI.INT.Create_contiguous(2)
        outer = pair.Create_contiguous(3)
        inner = outer.Get_contents()[2][0]
        self.assertEqual(inner.Get_size(), 8)
        for datatype in (inner, outer, pair):
            datatype.Free()

    def test_fortran_kinds(self):
        for datatype, size in ((MPI.Datatype.Create_f90_integer(9), 4), (MPI.Datatype.Create_f90_real(15, 300), 8),
                               (MPI.Datatype.Create_f90_complex(6, 30), 8)):
            self.assertEqual(datatype.Get_size(), size)

    def test_match_size(self):
        self.assertEqual(MPI.Datatype.Match_size(MPI.TYPECLASS_INTEGER, 4).Get_size(), 4)
        self.assertEqual(MPI.Datatype.Match_size(MPI.TYPECLASS_REAL, 8).Get_size(), 8)

    def test_handle(self):
        self.assertEqual(MPI.Datatype.f2py(MPI.INT.py2f()), MPI.INT)

    def test_addresses(self):
        data = numpy.zeros(4)
        first, last = MPI.Get_address(data), MPI.Get_address(data[3:])
        self.assertEqual(first, data.ctypes.data)
        self.assertEqual(MPI.Aint_diff(last, first), 24)
        self.assertEqual(MPI.Aint_add(first, 24), last)


class Packing(Case):
    def test_pack(self):
        out, packed, into = numpy.arange(4, dtype="i"), bytearray(100), numpy.zeros(4, "i")
        position = MPI.INT.Pack(out, packed, 0, self.comm)
        self.assertEqual(position, MPI.INT.Pack_size(4, self.comm))
        self.assertEqual(MPI.INT.Unpack(packed, 0, into, self.comm), position)
        self.same(into, out)

    def test_pack_sent(self):
        packed, into = bytearray(64), bytearray(64)
        position = MPI.INT.Pack(numpy.array([self.rank], "i"), packed, 0, self.comm)
        position = MPI.DOUBLE.Pack(numpy.array([0.5]), packed, position, self.comm)
        self.comm.Sendrecv([packed, position, MPI.PACKED], self.next, 0, [into, 64, MPI.PACKED], self.previous, 0)
        number, real = numpy.zeros(1, "i"), numpy.zeros(1)
        position = MPI.INT.Unpack(into, 0, number, self.comm)
        MPI.DOUBLE.Unpack(into, position, real, self.comm)
        self.assertEqual((number[0], real[0]), (self.previous, 0.5))

    def test_pack_vector(self):
        vector = MPI.INT.Create_vector(2, 1, 2).Commit()
        packed = bytearray(vector.Pack_size(1, self.comm))
        vector.Pack(numpy.arange(4, dtype="i"), packed, 0, self.comm)
        self.assertEqual(numpy.frombuffer(packed, "i").tolist(), [0, 2])
        vector.Free()

    def test_external(self):
        out, into = numpy.array([1, 2], "i"), numpy.zeros(2, "i")
        size = MPI.INT.Pack_external_size("external32", 2)
        packed = bytearray(size)
        self.assertEqual(MPI.INT.Pack_external("external32", out, packed, 0), size)
        self.assertEqual(bytes(packed), b"\0\0\0\1\0\0\0\2")
        MPI.INT.Unpack_external("external32", packed, 0, into)
        self.same(into, out)


class Operators(Case):
    def function(self, into, inout, datatype):
        left, right = numpy.frombuffer(into, "d"), numpy.frombuffer(inout, "d")
        right[:] = left + right + 1

    def test_created(self):
        operator = MPI.Op.Create(self.function, commute=True)
        self.assertTrue(operator.Is_commutative())
        into = numpy.zeros(3)
        self.comm.Allreduce(numpy.zeros(3), into, operator)
        self.same(into, [self.size - 1] * 3)
        operator.Free()
        self.assertEqual(operator, MPI.OP_NULL)

    def test_not_commutative(self):
        def second(into, inout, datatype):
            left, right = numpy.frombuffer(into, "d"), numpy.frombuffer(inout, "d")
            right[:] = left * 10 + right
        operator = MPI.Op.Create(second, commute=False)
        into = numpy.zeros(1)
        self.comm.Reduce(numpy.array([self.rank + 1.0]), into, operator)
        self.assertFalse(operator.is_predefined)
        if self.rank == 0 and self.size < 3:
            self.assertEqual(into[0], (1, 12)[self.size - 1])
        operator.Free()

    def test_in_every_collective(self):
        operator = MPI.Op.Create(self.function, commute=True)
        into, ones = numpy.zeros(1), numpy.zeros(self.size)
        self.comm.Scan(numpy.zeros(1), into, operator)
        self.assertEqual(into[0], self.rank)
        self.comm.Exscan(numpy.zeros(1), into, operator)
        self.comm.Reduce_scatter_block(ones, into, operator)
        self.assertEqual(into[0], self.size - 1)
        self.comm.Iallreduce(numpy.zeros(1), into, operator).Wait()
        self.assertEqual(into[0], self.size - 1)
        operator.Free()

    def test_reduce_local(self):
        operator = MPI.Op.Create(self.function)
        into = numpy.ones(2)
        operator.Reduce_local(numpy.ones(2), into)
        self.same(into, [3, 3])
        operator.Free()

    def test_on_a_derived_type(self):
        def longer(into, inout, datatype):
            left, right = numpy.frombuffer(into, "d").reshape(-1, 2), numpy.frombuffer(inout, "d").reshape(-1, 2)
            keep = (left**2).sum(1) > (right**2).sum(1)
            right[keep] = left[keep]
        point = MPI.DOUBLE.Create_contiguous(2).Commit()
        operator = MPI.Op.Create(longer, True)
        into = numpy.zeros(2)
        self.comm.Allreduce([numpy.array([self.rank, 1.0]), 1, point], [into, 1, point], operator)
        self.same(into, [self.size - 1, 1])
        operator.Free()
        point.Free()

    def test_on_objects(self):
        operator = MPI.Op.Create(self.function)
        self.assertEqual(self.comm.allreduce({self.rank}, lambda left, right: left | right), set(range(self.size)))
        operator.Free()

    def test_many(self):
        operators = [MPI.Op.Create(lambda into, inout, datatype: None) for _ in range(10)]
        for operator in operators:
            operator.Free()
        self.assertTrue(MPI.SUM.is_predefined)
        self.assertTrue(MPI.SUM.Is_commutative())
