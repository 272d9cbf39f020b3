"""Messages whose data are buffers: arrays of numpy and of Python."""
import array

import numpy
from mpi4py import MPI

from common import TYPECODES, Alone, Case, Reversed


class Modes(Case):
    def ring(self, send):
        for typecode in TYPECODES:
            out = numpy.arange(10, dtype=typecode) + self.rank
            back = numpy.zeros(10, typecode)
            receive = self.comm.Irecv(back, self.previous, 3)
            request = send(out, self.next, 3)
            receive.Wait()
            if isinstance(request, MPI.Request):
                request.Wait()
            self.same(back, numpy.arange(10) + self.previous)

    def buffered(self, send):
        MPI.Attach_buffer(MPI.Alloc_mem(4096 + MPI.BSEND_OVERHEAD * 16))
        try:
            self.ring(send)
        finally:
            MPI.Free_mem(MPI.Detach_buffer())

    def test_send(self):
        self.ring(self.comm.Send)

    def test_isend(self):
        self.ring(self.comm.Isend)

    def test_issend(self):
        self.ring(self.comm.Issend)

    def test_bsend(self):
        self.buffered(self.comm.Bsend)

    def test_ibsend(self):
        self.buffered(self.comm.Ibsend)

    def ready(self, send):
        back = numpy.zeros(3)
        receive = self.comm.Irecv(back, self.previous)
        self.comm.Barrier()
        request = send(numpy.full(3, self.rank), self.next)
        receive.Wait()
        if request:
            request.Wait()
        self.same(back, [self.previous] * 3)

    def test_rsend(self):
        self.ready(lambda data, to: self.comm.Rsend(data.astype("d"), to))

    def test_irsend(self):
        self.ready(lambda data, to: self.comm.Irsend(data.astype("d"), to))

    def test_ssend(self):
        back = numpy.zeros(4)
        receive = self.comm.Irecv(back, self.previous)
        self.comm.Ssend(numpy.ones(4) * self.rank, self.next)
        receive.Wait()
        self.same(back, [self.previous] * 4)

    def test_sendrecv(self):
        for typecode in TYPECODES:
            back = numpy.zeros(5, typecode)
            self.comm.Sendrecv(numpy.full(5, self.rank, typecode), self.next, 1, back, self.previous, 1)
            self.same(back, [self.previous] * 5)

    def test_sendrecv_replace(self):
        data = numpy.full(6, self.rank)
        status = MPI.Status()
        self.comm.Sendrecv_replace(data, self.next, 2, self.previous, 2, status)
        self.same(data, [self.previous] * 6)
        self.assertEqual(status.Get_count(MPI.LONG), 6)

    def test_large(self):
        for size in (8255, 8256, 1 << 20):
            back = bytearray(size)
            receive = self.comm.Irecv(back, self.previous)
            self.comm.Send(bytes([self.rank]) * size, self.next)
            receive.Wait()
            self.assertEqual(back, bytes([self.previous]) * size)

    def test_empty(self):
        status = MPI.Status()
        self.comm.Sendrecv([None, 0, MPI.INT], self.next, 0, [None, 0, MPI.INT], self.previous, 0, status)
        self.assertEqual(status.Get_count(MPI.INT), 0)

    def test_proc_null(self):
        data = numpy.ones(2)
        self.comm.Send(data, MPI.PROC_NULL)
        self.comm.Recv(data, MPI.PROC_NULL)
        self.comm.Sendrecv_replace(data, MPI.PROC_NULL, 0, MPI.PROC_NULL)
        self.same(data, [1, 1])


class ModesReversed(Reversed, Modes):
    pass


class ModesAlone(Alone, Modes):
    pass


class Messages(Case):
    """The ways to say what the buffer is."""

    def back(self, out, into):
        self.comm.Sendrecv(out, self.next, 0, into, self.previous, 0)

    def test_array_module(self):
        for typecode in "bhilqfd":
            into = array.array(typecode, [0] * 3)
            self.back(array.array(typecode, [1, 2, 3]), into)
            self.assertEqual(into.tolist(), [1, 2, 3])

    def test_bytes(self):
        into = bytearray(5)
        self.back(b"hello", into)
        self.assertEqual(into, b"hello")

    def test_memoryview(self):
        into = bytearray(3)
        self.back(memoryview(b"xabcx")[1:4], memoryview(into))
        self.assertEqual(into, b"abc")

    def test_datatype(self):
        into = numpy.zeros(3, "i")
        self.back([numpy.array([1, 2, 3], "i"), MPI.INT], [into, MPI.INT])
        self.same(into, [1, 2, 3])

    def test_datatype_name(self):
        into = numpy.zeros(3)
        self.back([numpy.array([1.0, 2, 3]), "d"], [into, "d"])
        self.same(into, [1, 2, 3])

    def test_count(self):
        into = numpy.zeros(4, "i")
        self.back([numpy.array([1, 2, 3, 4], "i"), 2, MPI.INT], [into, 2, MPI.INT])
        self.same(into, [1, 2, 0, 0])

    def test_count_and_displacement(self):
        into = numpy.zeros(4, "i")
        self.back([numpy.array([1, 2, 3, 4], "i"), (2, 1), MPI.INT], [into, (2, 2), MPI.INT])
        self.same(into, [0, 0, 2, 3])

    def test_vector_type(self):
        column = MPI.DOUBLE.Create_vector(3, 1, 3).Commit()
        matrix = numpy.arange(9.0).reshape(3, 3)
        into = numpy.zeros(3)
        self.back([matrix, 1, column], [into, MPI.DOUBLE])
        self.same(into, [0, 3, 6])
        column.Free()

    def test_bottom(self):
        out, into = numpy.arange(4, dtype="i"), numpy.zeros(4, "i")
        types = [MPI.INT.Create_hindexed([4], [MPI.Get_address(data)]).Commit() for data in (out, into)]
        self.back([MPI.BOTTOM, 1, types[0]], [MPI.BOTTOM, 1, types[1]])
        self.same(into, out)
        for datatype in types:
            datatype.Free()

    def test_fortran_order(self):
        into = numpy.zeros((2, 3), order="F")
        self.back(numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3)), into)
        self.same(into, numpy.arange(6).reshape(2, 3))

    def test_complex_and_bool(self):
        for data in (numpy.array([1j, 2]), numpy.array([1j, 2], "F"), numpy.array([True, False])):
            into = numpy.zeros_like(data)
            self.back(data, into)
            self.same(into, data)

    def test_noncontiguous_is_refused(self):
        with self.assertRaises((ValueError, BufferError)):
            self.comm.Send(numpy.arange(10)[::2], self.next)

    def test_readonly_is_refused(self):
        with self.assertRaises((ValueError, BufferError, TypeError)):
            self.comm.Recv(b"const", self.next)

    def test_no_buffer_is_refused(self):
        with self.assertRaises((TypeError, ValueError)):
            self.comm.Send(["no", "buffer", "at", "all"], self.next)

    def test_shorter_than_expected(self):
        status = MPI.Status()
        into = numpy.full(5, -1, "i")
        self.comm.Sendrecv(numpy.arange(2, dtype="i"), self.next, 0, into, self.previous, 0, status)
        self.assertEqual((status.Get_count(MPI.INT), status.Get_elements(MPI.INT)), (2, 2))
        self.same(into, [0, 1, -1, -1, -1])


class Wildcards(Case):
    def test_recv_any(self):
        requests = [self.comm.Isend(numpy.array([self.rank]), other, self.rank) for other in range(self.size)]
        status, seen, data = MPI.Status(), [], numpy.zeros(1, int)
        for _ in range(self.size):
            self.comm.Recv(data, MPI.ANY_SOURCE, MPI.ANY_TAG, status)
            self.assertEqual((status.source, status.tag), (data[0], data[0]))
            seen.append(int(data[0]))
        self.assertEqual(sorted(seen), list(range(self.size)))
        MPI.Request.Waitall(requests)

    def test_irecv_any_waitany(self):
        data = numpy.zeros((self.size, 1), int)
        receives = [self.comm.Irecv(row, MPI.ANY_SOURCE) for row in data]
        sends = [self.comm.Isend(numpy.array([self.rank]), other) for other in range(self.size)]
        self.assertEqual(sorted(MPI.Request.Waitany(receives) for _ in receives), list(range(self.size)))
        self.assertEqual(sorted(data[:, 0]), list(range(self.size)))
        MPI.Request.Waitall(sends)

    def test_sendrecv_any(self):
        data = numpy.zeros(1, int)
        self.comm.Sendrecv(numpy.array([self.rank]), self.next, 0, data, MPI.ANY_SOURCE, MPI.ANY_TAG)
        self.assertEqual(data[0], self.previous)

    def test_persistent_any(self):
        data = numpy.zeros(1, int)
        receive = self.comm.Recv_init(data, MPI.ANY_SOURCE, MPI.ANY_TAG)
        seen = []
        sends = [self.comm.Isend(numpy.array([self.rank]), other) for other in range(self.size)]
        for _ in range(self.size):
            receive.Start()
            receive.Wait()
            seen.append(int(data[0]))
        self.assertEqual(sorted(seen), list(range(self.size)))
        receive.Free()
        MPI.Request.Waitall(sends)

    def test_probe_any_size(self):
        sends = [self.comm.Isend(numpy.ones(self.rank + 1), other) for other in range(self.size)]
        status = MPI.Status()
        for _ in range(self.size):
            self.comm.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG, status)
            data = numpy.zeros(status.Get_count(MPI.DOUBLE))
            self.comm.Recv(data, status.source)
            self.assertEqual(len(data), status.source + 1)
        MPI.Request.Waitall(sends)


class Probes(Case):
    def sent(self, tag=0):
        return self.comm.Isend(numpy.arange(3, dtype="i"), self.next, tag)

    def test_probe(self):
        request, status = self.sent(), MPI.Status()
        self.comm.Probe(self.previous, 0, status)
        self.assertEqual(status.Get_count(MPI.INT), 3)
        self.comm.Recv(numpy.zeros(3, "i"), self.previous)
        request.Wait()

    def test_iprobe(self):
        request = self.sent(4)
        while not self.comm.Iprobe(self.previous, 4):
            pass
        self.comm.Recv(numpy.zeros(3, "i"), self.previous, 4)
        request.Wait()
        self.assertFalse(self.comm.Iprobe(self.previous, 4))

    def test_mprobe(self):
        request, data = self.sent(), numpy.zeros(3, "i")
        message = self.comm.Mprobe(self.previous)
        message.Recv(data)
        self.assertFalse(message)
        self.same(data, [0, 1, 2])
        request.Wait()

    def test_mprobe_irecv(self):
        request, data = self.sent(), numpy.zeros(3, "i")
        self.comm.Mprobe(MPI.ANY_SOURCE).Irecv(data).Wait()
        self.same(data, [0, 1, 2])
        request.Wait()

    def test_improbe(self):
        request, data, message = self.sent(), numpy.zeros(3, "i"), None
        while not message:
            message = self.comm.Improbe(self.previous)
        message.Recv([data, MPI.INT])
        self.same(data, [0, 1, 2])
        request.Wait()

    def test_message_class(self):
        request, data = self.sent(), numpy.zeros(3, "i")
        MPI.Message.Probe(self.comm, self.previous).Recv(data)
        self.assertIsNone(MPI.Message.Iprobe(self.comm, self.previous, 98))
        request.Wait()


class Completion(Case):
    count = 4

    def setUp(self):
        super().setUp()
        self.data = numpy.full((self.count, 2), -1)
        self.receives = [self.comm.Irecv(row, self.previous, tag) for tag, row in enumerate(self.data)]
        self.sends = [self.comm.Isend(numpy.full(2, tag), self.next, tag) for tag in range(self.count)]

    def tearDown(self):
        MPI.Request.Waitall(self.sends)
        self.same(self.data, [[tag] * 2 for tag in range(self.count)])
        super().tearDown()

    def test_wait(self):
        for request in self.receives:
            request.Wait()
            self.assertEqual(request, MPI.REQUEST_NULL)

    def test_test(self):
        for request in self.receives:
            while not request.Test():
                pass

    def test_waitall(self):
        statuses = [MPI.Status() for _ in self.receives]
        MPI.Request.Waitall(self.receives, statuses)
        self.assertEqual([status.tag for status in statuses], list(range(self.count)))

    def test_testall(self):
        while not MPI.Request.Testall(self.receives):
            pass

    def test_waitany(self):
        status = MPI.Status()
        indices = set()
        for _ in self.receives:
            index = MPI.Request.Waitany(self.receives, status)
            self.assertEqual(status.tag, index)
            indices.add(index)
        self.assertEqual(indices, set(range(self.count)))
        self.assertEqual(MPI.Request.Waitany(self.receives), MPI.UNDEFINED)

    def test_testany(self):
        left = self.count
        while left:
            index, done = MPI.Request.Testany(self.receives)
            left -= done
        self.assertEqual(MPI.Request.Testany(self.receives), (MPI.UNDEFINED, True))

    def test_waitsome(self):
        seen = []
        while len(seen) < self.count:
            statuses = [MPI.Status() for _ in self.receives]
            indices = MPI.Request.Waitsome(self.receives, statuses)
            self.assertEqual([status.tag for status in statuses][:len(indices)], indices)
            seen += indices
        self.assertEqual(sorted(seen), list(range(self.count)))
        self.assertIsNone(MPI.Request.Waitsome(self.receives))

    def test_testsome(self):
        seen = []
        while len(seen) < self.count:
            seen += MPI.Request.Testsome(self.receives)
        self.assertEqual(sorted(seen), list(range(self.count)))
        self.assertIsNone(MPI.Request.Testsome(self.receives))

    def test_get_status(self):
        status = MPI.Status()
        for tag, request in enumerate(self.receives):
            while not request.Get_status(status):
                pass
            self.assertNotEqual(request, MPI.REQUEST_NULL)
            self.assertEqual(status.tag, tag)
            request.Wait()


class Persistent(Case):
    def rounds(self, init, barrier=False):
        out, back = numpy.zeros(3), numpy.zeros(3)
        requests = [self.comm.Recv_init(back, self.previous, 1), init(out, self.next, 1)]
        for number in range(4):
            out[:] = self.rank * 10 + number
            requests[0].Start()
            if barrier:
                self.comm.Barrier()
            requests[1].Start()
            MPI.Request.Waitall(requests)
            self.same(back, [self.previous * 10 + number] * 3)
        for request in requests:
            self.assertIsInstance(request, MPI.Prequest)
            request.Free()

    def test_send_init(self):
        self.rounds(self.comm.Send_init)

    def test_ssend_init(self):
        self.rounds(self.comm.Ssend_init)

    def test_rsend_init(self):
        self.rounds(self.comm.Rsend_init, True)

    def test_bsend_init(self):
        MPI.Attach_buffer(MPI.Alloc_mem(4096 + MPI.BSEND_OVERHEAD))
        self.rounds(self.comm.Bsend_init)
        MPI.Free_mem(MPI.Detach_buffer())

    def test_startall(self):
        back = numpy.zeros((3, 1))
        requests = [self.comm.Recv_init(row, self.previous, tag) for tag, row in enumerate(back)]
        requests += [self.comm.Send_init(numpy.full(1, float(tag)), self.next, tag) for tag in range(3)]
        for _ in range(3):
            back[:] = -1
            MPI.Prequest.Startall(requests)
            MPI.Request.Waitall(requests)
            self.same(back[:, 0], [0, 1, 2])
        for request in requests:
            request.Free()

    def test_never_started(self):
        request = self.comm.Send_init(numpy.zeros(1), self.next)
        self.assertTrue(request.Test())
        request.Wait()
        request.Free()
        self.assertEqual(request, MPI.REQUEST_NULL)

    def test_waitany(self):
        back = numpy.zeros((2, 1))
        receives = [self.comm.Recv_init(row, self.previous, tag) for tag, row in enumerate(back)]
        sends = [self.comm.Send_init(numpy.full(1, 1.0), self.next, tag) for tag in range(2)]
        MPI.Prequest.Startall(receives + sends)
        self.assertEqual({MPI.Request.Waitany(receives), MPI.Request.Waitany(receives)}, {0, 1})
        MPI.Request.Waitall(sends)
        for request in receives + sends:
            request.Free()

    def test_cancel(self):
        request = self.comm.Recv_init(numpy.zeros(1), self.previous, 44)
        request.Start()
        request.Cancel()
        status = MPI.Status()
        request.Wait(status)
        self.assertTrue(status.Is_cancelled())
        request.Free()


class Cancel(Case):
    def test_receive(self):
        request = self.comm.Irecv(numpy.zeros(1), self.previous, 66)
        request.Cancel()
        status = MPI.Status()
        request.Wait(status)
        self.assertTrue(status.cancelled)

    def test_one_of_two(self):
        data = numpy.zeros(1)
        kept, dropped = self.comm.Irecv(data, self.previous, 1), self.comm.Irecv(numpy.zeros(1), self.previous, 2)
        send = self.comm.Isend(numpy.ones(1), self.next, 1)
        dropped.Cancel()
        statuses = [MPI.Status(), MPI.Status()]
        MPI.Request.Waitall([kept, dropped], statuses)
        self.assertEqual([status.Is_cancelled() for status in statuses], [False, True])
        self.assertEqual(data[0], 1)
        send.Wait()

    def test_free_active_send(self):
        data = numpy.full(2, 3.0)
        request = self.comm.Isend(data, self.next)
        request.Free()
        into = numpy.zeros(2)
        self.comm.Recv(into, self.previous)
        self.same(into, [3, 3])
