"""Messages that are pickled Python objects."""
import numpy
from mpi4py import MPI

from common import Alone, Case, Reversed, Shape

OBJECTS = [None, True, 7, -2**80, 1.5, 2j, "text", b"bytes", (), [1, [2, [3]]], {"a": {"b": 1}}, {1, 2}, range(3),
           Shape("square", 4), int]


class Modes(Case):
    def ring(self, send):
        """Sends each object to the next rank with this function, whose message has a receive before."""
        for number, thing in enumerate(OBJECTS):
            receive = self.comm.irecv(source=self.previous, tag=number)
            request = send(thing, self.next, number)
            self.assertEqual(receive.wait(), thing)
            if isinstance(request, MPI.Request):
                request.wait()

    def test_send(self):
        self.ring(self.comm.send)

    def test_ssend(self):
        if self.size == 1:
            self.skipTest("would wait for itself")
        for thing in OBJECTS:
            for turn in (0, 1):
                if self.rank % 2 == turn and self.next != 0:
                    self.comm.ssend(thing, self.next)
                elif self.rank % 2 != turn and self.rank != 0:
                    self.assertEqual(self.comm.recv(source=self.previous), thing)

    def test_isend(self):
        self.ring(self.comm.isend)

    def test_issend(self):
        self.ring(self.comm.issend)

    def attached(self):
        MPI.Attach_buffer(MPI.Alloc_mem((1 << 16) + MPI.BSEND_OVERHEAD))

    def test_bsend(self):
        self.attached()
        self.ring(self.comm.bsend)
        MPI.Free_mem(MPI.Detach_buffer())

    def test_ibsend(self):
        self.attached()
        self.ring(self.comm.ibsend)
        MPI.Free_mem(MPI.Detach_buffer())

    def test_sendrecv(self):
        for thing in OBJECTS:
            self.assertEqual(self.comm.sendrecv(thing, self.next, 3, None, self.previous, 3), thing)

    def test_sendrecv_status(self):
        status = MPI.Status()
        self.comm.sendrecv([self.rank], dest=self.next, sendtag=self.rank, source=MPI.ANY_SOURCE, recvtag=MPI.ANY_TAG,
                           status=status)
        self.assertEqual((status.source, status.tag), (self.previous, self.previous))

    def test_recv_status(self):
        request = self.comm.isend("x" * 10, self.next, 4)
        status = MPI.Status()
        self.assertEqual(self.comm.recv(source=self.previous, tag=4, status=status), "x" * 10)
        self.assertEqual((status.Get_source(), status.Get_tag(), status.Get_error()), (self.previous, 4, MPI.SUCCESS))
        self.assertGreater(status.Get_count(MPI.BYTE), 10)
        request.wait()

    def test_irecv_into_buffer(self):
        receive = self.comm.irecv(bytearray(1 << 16), self.previous)
        request = self.comm.isend("a" * 10000, self.next)
        self.assertEqual(receive.wait(), "a" * 10000)
        request.wait()

    def test_large_object(self):
        thing = numpy.arange(300000)
        request = self.comm.isend(thing, self.next)
        self.same(self.comm.recv(source=self.previous)[::1000], thing[::1000])
        request.wait()

    def test_arrays(self):
        for thing in (numpy.eye(3), numpy.array(["a", "bc"]), numpy.zeros(0), numpy.array(3.5)):
            self.same(self.comm.sendrecv(thing, self.next, 0, None, self.previous, 0), thing)

    def test_structured_array(self):
        thing = numpy.array([(1, 2.5), (3, 4.5)], [("i", "i4"), ("d", "f8")])
        back = self.comm.sendrecv(thing, self.next, 0, None, self.previous, 0)
        self.assertEqual((back.dtype, back.tolist()), (thing.dtype, thing.tolist()))

    def test_proc_null(self):
        self.comm.send("nobody", MPI.PROC_NULL)
        status = MPI.Status()
        self.assertIsNone(self.comm.recv(source=MPI.PROC_NULL, status=status))
        self.assertEqual((status.source, status.tag), (MPI.PROC_NULL, MPI.ANY_TAG))
        self.assertIsNone(self.comm.sendrecv("x", MPI.PROC_NULL, 0, None, MPI.PROC_NULL, 0))

    def test_not_picklable(self):
        with self.assertRaises(Exception):
            self.comm.send(lambda: 0, self.next)

    def test_tags_out_of_order(self):
        requests = [self.comm.isend(tag * 2, self.next, tag) for tag in range(5)]
        self.assertEqual([self.comm.recv(source=self.previous, tag=tag) for tag in reversed(range(5))], [8, 6, 4, 2, 0])
        MPI.Request.waitall(requests)

    def test_same_tag_in_order(self):
        requests = [self.comm.isend(number, self.next) for number in range(20)]
        self.assertEqual([self.comm.recv(source=self.previous) for _ in range(20)], list(range(20)))
        MPI.Request.waitall(requests)

    def test_largest_tag(self):
        tag = self.comm.Get_attr(MPI.TAG_UB)
        self.assertEqual(self.comm.sendrecv(1, self.next, tag, None, self.previous, tag), 1)


class ModesReversed(Reversed, Modes):
    pass


class ModesAlone(Alone, Modes):
    pass


class Wildcards(Case):
    def test_any_source(self):
        requests = [self.comm.isend(self.rank, other) for other in range(self.size)]
        self.assertEqual(sorted(self.comm.recv() for _ in range(self.size)), list(range(self.size)))
        MPI.Request.waitall(requests)

    def test_any_source_of_a_tag(self):
        requests = [self.comm.isend((self.rank, tag), 0, tag) for tag in (1, 2)]
        if self.rank == 0:
            for tag in (2, 1):
                things = sorted(self.comm.recv(source=MPI.ANY_SOURCE, tag=tag) for _ in range(self.size))
                self.assertEqual(things, [(rank, tag) for rank in range(self.size)])
        MPI.Request.waitall(requests)

    def test_any_tag(self):
        requests = [self.comm.isend(tag, self.next, tag) for tag in (5, 3, 9)]
        status = MPI.Status()
        for tag in (5, 3, 9):
            self.assertEqual(self.comm.recv(source=self.previous, tag=MPI.ANY_TAG, status=status), status.tag)
            self.assertEqual(status.tag, tag)
        MPI.Request.waitall(requests)

    def test_irecv_any(self):
        receives = [self.comm.irecv() for _ in range(self.size)]
        requests = [self.comm.isend(self.rank, other) for other in range(self.size)]
        self.assertEqual(sorted(MPI.Request.waitall(receives)), list(range(self.size)))
        MPI.Request.waitall(requests)

    def test_status_tells_who(self):
        requests = [self.comm.isend(self.rank, other, 10 + self.rank) for other in range(self.size)]
        status = MPI.Status()
        for _ in range(self.size):
            source = self.comm.recv(status=status)
            self.assertEqual((status.source, status.tag), (source, 10 + source))
        MPI.Request.waitall(requests)

    def test_master_and_workers(self):
        tasks = list(range(8))
        if self.size == 1:
            self.skipTest("needs two ranks")
        if self.rank == 0:
            squares, working = {}, self.size - 1
            status = MPI.Status()
            while working:
                answer = self.comm.recv(status=status)
                if answer is not None:
                    squares.update([answer])
                working -= not tasks
                self.comm.send(tasks.pop() if tasks else None, status.source)
            self.assertEqual(squares, {number: number**2 for number in range(8)})
        else:
            answer = None
            while True:
                task = self.comm.sendrecv(answer, 0, source=0)
                if task is None:
                    break
                answer = (task, task**2)


class Probes(Case):
    def test_probe(self):
        request = self.comm.isend("probed", self.next, 6)
        status = MPI.Status()
        self.assertTrue(self.comm.probe(self.previous, 6, status))
        self.assertEqual((status.source, status.tag), (self.previous, 6))
        self.assertEqual(self.comm.recv(source=status.source, tag=status.tag), "probed")
        request.wait()

    def test_probe_any(self):
        requests = [self.comm.isend([self.rank], other, self.rank) for other in range(self.size)]
        status = MPI.Status()
        for _ in range(self.size):
            self.comm.probe(MPI.ANY_SOURCE, MPI.ANY_TAG, status)
            self.assertEqual(self.comm.recv(source=status.source, tag=status.tag), [status.source])
        MPI.Request.waitall(requests)

    def test_iprobe(self):
        request = self.comm.isend(1, self.next, 8)
        while not self.comm.iprobe(self.previous, 8):
            pass
        self.assertEqual(self.comm.recv(source=self.previous, tag=8), 1)
        request.wait()

    def test_iprobe_nothing(self):
        self.assertFalse(self.comm.iprobe(self.previous, 99))

    def test_mprobe(self):
        request = self.comm.isend({"m": 1}, self.next, 2)
        status = MPI.Status()
        message = self.comm.mprobe(self.previous, 2, status)
        self.assertTrue(message)
        self.assertEqual(message.recv(), {"m": 1})
        self.assertEqual(message, MPI.MESSAGE_NULL)
        request.wait()

    def test_mprobe_any(self):
        requests = [self.comm.isend(self.rank, other) for other in range(self.size)]
        messages = [self.comm.mprobe() for _ in range(self.size)]
        self.assertEqual(sorted(message.recv() for message in messages), list(range(self.size)))
        MPI.Request.waitall(requests)

    def test_mprobe_irecv(self):
        request = self.comm.isend("later", self.next)
        self.assertEqual(self.comm.mprobe(self.previous).irecv().wait(), "later")
        request.wait()

    def test_improbe(self):
        request = self.comm.isend("now", self.next)
        message = None
        while message is None:
            message = self.comm.improbe(self.previous)
        self.assertEqual(message.recv(), "now")
        request.wait()

    def test_message_class_probe(self):
        request = self.comm.isend(5, self.next)
        self.assertEqual(MPI.Message.probe(self.comm, self.previous).recv(), 5)
        request.wait()

    def test_message_class_iprobe(self):
        self.assertIsNone(MPI.Message.iprobe(self.comm, self.previous, 77))

    def test_mprobe_proc_null(self):
        message = self.comm.mprobe(MPI.PROC_NULL)
        self.assertEqual(message, MPI.MESSAGE_NO_PROC)
        self.assertIsNone(message.recv())


class Requests(Case):
    def exchange(self, count=4):
        receives = [self.comm.irecv(source=self.previous, tag=tag) for tag in range(count)]
        return receives, [self.comm.isend(tag * 10, self.next, tag) for tag in range(count)]

    def test_wait_status(self):
        receives, sends = self.exchange(1)
        status = MPI.Status()
        self.assertEqual(receives[0].wait(status), 0)
        self.assertEqual(status.source, self.previous)
        sends[0].wait()

    def test_test(self):
        receives, sends = self.exchange(1)
        done = False
        while not done:
            done, thing = receives[0].test()
        self.assertEqual(thing, 0)
        sends[0].wait()

    def test_waitall(self):
        receives, sends = self.exchange()
        statuses = [MPI.Status() for _ in receives]
        self.assertEqual(MPI.Request.waitall(receives, statuses), [0, 10, 20, 30])
        self.assertEqual([status.tag for status in statuses], [0, 1, 2, 3])
        MPI.Request.waitall(sends)

    def test_waitany(self):
        receives, sends = self.exchange()
        got = [MPI.Request.waitany(receives) for _ in receives]
        self.assertEqual(sorted(got), [(0, 0), (1, 10), (2, 20), (3, 30)])
        self.assertEqual(MPI.Request.waitany(receives)[0], MPI.UNDEFINED)
        MPI.Request.waitall(sends)

    def test_testany(self):
        receives, sends = self.exchange(2)
        got = []
        while len(got) < 2:
            index, done, thing = MPI.Request.testany(receives)
            if done:
                got.append((index, thing))
        self.assertEqual(sorted(got), [(0, 0), (1, 10)])
        MPI.Request.waitall(sends)

    def test_testall(self):
        receives, sends = self.exchange()
        done = False
        while not done:
            done, things = MPI.Request.testall(receives)
        self.assertEqual(things, [0, 10, 20, 30])
        MPI.Request.waitall(sends)

    def test_mixed(self):
        receives, sends = self.exchange()
        self.assertEqual(MPI.Request.waitall(receives + sends), [0, 10, 20, 30] + [None] * 4)

    def test_null_requests(self):
        self.assertEqual(MPI.Request.waitall([MPI.REQUEST_NULL] * 2), [None, None])
        self.assertEqual(MPI.REQUEST_NULL.test(), (True, None))

    def test_cancel(self):
        receive = self.comm.irecv(source=self.previous, tag=55)
        receive.Cancel()
        status = MPI.Status()
        receive.Wait(status)
        self.assertTrue(status.Is_cancelled())


class Serializer(Case):
    def test_dumps(self):
        for thing in OBJECTS:
            self.assertEqual(MPI.pickle.loads(MPI.pickle.dumps(thing)), thing)

    def test_protocol(self):
        before = MPI.pickle.PROTOCOL
        for protocol in range(before + 1):
            MPI.pickle.PROTOCOL = protocol
            self.assertEqual(self.comm.sendrecv({"p": protocol}, self.next, 0, None, self.previous, 0), {"p": protocol})
        MPI.pickle.PROTOCOL = before

    def test_another_one(self):
        import json
        before = MPI.pickle
        MPI.pickle.__init__(lambda thing, *_: json.dumps(thing).encode(), lambda data: json.loads(bytes(data).decode()))
        try:
            thing = [1, {"a": None}]
            self.assertEqual(self.comm.sendrecv(thing, self.next, 0, None, self.previous, 0), thing)
            self.assertEqual(self.comm.allgather(self.rank), list(range(self.size)))
        finally:
            import pickle
            before.__init__(pickle.dumps, pickle.loads)
