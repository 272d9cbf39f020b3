"""Info objects, statuses, generalized requests, memory, threads, dynamic processes, environment."""
import os
import queue
import sys
import threading

import numpy
from mpi4py import MPI

from common import Case


class Infos(Case):
    def setUp(self):
        super().setUp()
        self.info = MPI.Info.Create()

    def tearDown(self):
        self.info.Free()
        self.assertEqual(self.info, MPI.INFO_NULL)
        super().tearDown()

    def test_set_get(self):
        self.info.Set("key", "value")
        self.assertEqual(self.info.Get("key"), "value")
        self.assertIsNone(self.info.Get("other"))
        self.assertEqual(self.info.Get("key", 5), "value")

    def test_delete(self):
        self.info.Set("key", "value")
        self.info.Delete("key")
        self.assertEqual(self.info.Get_nkeys(), 0)

    def test_order(self):
        for key in "zab":
            self.info.Set(key, key * 2)
        self.assertEqual([self.info.Get_nthkey(number) for number in range(3)], ["z", "a", "b"])

    def test_dup(self):
        self.info.Set("key", "value")
        other = self.info.Dup()
        self.info.Set("key", "changed")
        self.assertEqual(other.Get("key"), "value")
        other.Free()

    def test_as_a_dictionary(self):
        self.info.update({"a": "1"}, b="2")
        self.info["c"] = "3"
        self.assertEqual((len(self.info), self.info["b"], "c" in self.info), (3, "2", True))
        self.assertEqual(dict(self.info.items()), {"a": "1", "b": "2", "c": "3"})
        self.assertEqual((sorted(self.info.keys()), sorted(self.info.values())), (["a", "b", "c"], ["1", "2", "3"]))
        del self.info["a"]
        with self.assertRaises(KeyError):
            self.info["a"]
        self.assertEqual(self.info.get("a", "none"), "none")
        self.info.clear()
        self.assertEqual(list(self.info), [])

    def test_environment(self):
        self.assertGreaterEqual(MPI.INFO_ENV.Get_nkeys(), 0)


class Statuses(Case):
    def test_fields(self):
        status = MPI.Status()
        self.assertEqual((status.source, status.tag, status.error), (MPI.ANY_SOURCE, MPI.ANY_TAG, MPI.SUCCESS))
        status.Set_source(3)
        status.tag = 4
        status.error = MPI.ERR_TAG
        self.assertEqual((status.Get_source(), status.Get_tag(), status.Get_error()), (3, 4, MPI.ERR_TAG))

    def test_elements(self):
        status = MPI.Status()
        status.Set_elements(MPI.INT, 7)
        self.assertEqual((status.Get_elements(MPI.INT), status.Get_count(MPI.INT), status.count), (7, 7, 28))

    def test_cancelled(self):
        status = MPI.Status()
        status.Set_cancelled(True)
        self.assertTrue(status.Is_cancelled())

    def test_copy(self):
        status = MPI.Status()
        status.source = 2
        self.assertEqual(MPI.Status(status), status)

    def test_undefined_count(self):
        status = MPI.Status()
        self.comm.Sendrecv(bytearray(5), self.next, 0, bytearray(8), self.previous, 0, status)
        self.assertEqual((status.Get_count(MPI.BYTE), status.Get_count(MPI.INT)), (5, MPI.UNDEFINED))

    def test_partial_elements(self):
        pair = MPI.INT.Create_contiguous(2).Commit()
        status = MPI.Status()
        self.comm.Sendrecv(numpy.zeros(3, "i"), self.next, 0, [numpy.zeros(4, "i"), 2, pair], self.previous, 0, status)
        self.assertEqual((status.Get_count(pair), status.Get_elements(pair)), (MPI.UNDEFINED, 3))
        pair.Free()


class Generalized(Case):
    def setUp(self):
        super().setUp()
        self.called = []

    def query(self, status):
        self.called.append("query")
        status.Set_elements(MPI.BYTE, 11)
        status.tag = 42

    def start(self):
        return MPI.Grequest.Start(self.query, lambda: self.called.append("free"), self.cancel)

    def cancel(self, completed):
        self.called.append(("cancel", completed))

    def test_complete(self):
        request = self.start()
        self.assertFalse(request.Test())
        request.Complete()
        status = MPI.Status()
        request.Wait(status)
        self.assertEqual((status.Get_count(MPI.BYTE), status.tag), (11, 42))
        self.assertEqual(self.called[-2:], ["query", "free"])

    def test_cancel(self):
        request = self.start()
        request.Cancel()
        request.Complete()
        request.Wait()
        self.assertEqual(self.called, [("cancel", False), "query", "free"])

    def test_with_others(self):
        request, data = self.start(), numpy.zeros(1)
        receive, send = self.comm.Irecv(data, self.previous), self.comm.Isend(numpy.ones(1), self.next)
        request.Complete()
        MPI.Request.Waitall([receive, request, send])
        self.assertEqual(data[0], 1)
        self.assertEqual(set(self.called[:-1]), {"query"})  # MPI may ask more than once
        self.assertEqual(self.called[-1], "free")

    def test_arguments(self):
        seen = []
        request = MPI.Grequest.Start(lambda status, *arguments: seen.append(arguments), None, None, (1,), {})
        request.Complete()
        request.Wait()
        self.assertEqual(seen, [(1,)])

    def test_completed_by_a_thread(self):
        request = self.start()
        thread = threading.Thread(target=request.Complete)
        thread.start()
        request.Wait()
        thread.join()
        self.assertEqual(self.called[-1], "free")


class Memory(Case):
    def test_alloc(self):
        memory = MPI.Alloc_mem(64)
        self.assertEqual(len(memory), 64)
        memory[:4] = b"abcd"
        self.assertEqual(bytes(memory[:4]), b"abcd")
        MPI.Free_mem(memory)

    def test_memory_of_a_buffer(self):
        data = numpy.arange(3, dtype="i")
        memory = MPI.memory.frombuffer(data)
        self.assertEqual((memory.nbytes, memory.address, memory.readonly), (12, data.ctypes.data, False))
        self.assertEqual(memory.tobytes(), data.tobytes())

    def test_memory_of_an_address(self):
        data = numpy.arange(3, dtype="b")
        memory = MPI.memory.fromaddress(data.ctypes.data, 3)
        memory[0] = 9
        self.assertEqual(data.tolist(), [9, 1, 2])

    def test_attach(self):
        MPI.Attach_buffer(bytearray(1000))
        self.assertEqual(len(MPI.Detach_buffer()), 1000)


class Threads(Case):
    def setUp(self):
        super().setUp()
        if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
            self.skipTest("needs MPI_THREAD_MULTIPLE")

    def in_threads(self, *functions):
        results = queue.Queue()
        threads = [threading.Thread(target=lambda function=function: results.put(function())) for function in functions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertFalse(any(thread.is_alive() for thread in threads))
        return [results.get_nowait() for _ in functions]

    def test_level(self):
        self.assertTrue(MPI.Is_thread_main())
        self.assertEqual(self.in_threads(MPI.Is_thread_main), [False])

    def test_sends_and_receives(self):
        self.in_threads(lambda: self.comm.send("from a thread", self.next) if self.size > 1 else None,
                        lambda: self.assertEqual(self.comm.recv(source=self.previous), "from a thread")
                        if self.size > 1 else None)

    def test_tags(self):
        def exchange(tag):
            return lambda: self.comm.sendrecv(tag, self.next, tag, None, self.previous, tag)
        self.assertEqual(sorted(self.in_threads(*[exchange(tag) for tag in range(4)])), [0, 1, 2, 3])

    def test_communicators(self):
        comms = [self.comm.Dup() for _ in range(3)]
        self.assertEqual(self.in_threads(*[lambda comm=comm: comm.allreduce(1) for comm in comms]), [self.size] * 3)
        for comm in comms:
            comm.Free()

    def test_wildcards(self):
        requests = [self.comm.isend(self.rank, other) for other in range(self.size)]
        self.assertEqual(sorted(self.in_threads(*[self.comm.recv] * self.size)), list(range(self.size)))
        MPI.Request.waitall(requests)

    def test_waited_for_elsewhere(self):
        data = numpy.zeros(1)
        receive = self.comm.Irecv(data, self.previous)
        send = self.comm.Isend(numpy.ones(1), self.next)
        self.in_threads(receive.Wait)
        send.Wait()
        self.assertEqual(data[0], 1)

    def test_matched_probe(self):
        requests = [self.comm.isend(self.rank, other) for other in range(self.size)]
        got = self.in_threads(*[lambda: self.comm.mprobe().recv() for _ in range(self.size)])
        self.assertEqual(sorted(got), list(range(self.size)))
        MPI.Request.waitall(requests)


class Processes(Case):
    """Skipped where the MPI library says that it cannot."""

    def attempt(self, function, *arguments):
        try:
            return function(*arguments)
        except MPI.Exception as error:
            self.skipTest(str(error))

    def test_spawn(self):
        script = "from mpi4py import MPI; MPI.Comm.Get_parent().Disconnect()"
        self.attempt(MPI.COMM_SELF.Spawn, sys.executable, ["-c", script]).Disconnect()

    def test_port(self):
        MPI.Close_port(self.attempt(MPI.Open_port))

    def test_parent(self):
        self.assertEqual(MPI.Comm.Get_parent(), MPI.COMM_NULL)


class Environment(Case):
    def test_versions(self):
        self.assertGreaterEqual(MPI.Get_version(), (3, 1))
        self.assertIn("MPICH", MPI.Get_library_version())
        self.assertEqual((MPI.VERSION, MPI.SUBVERSION), MPI.Get_version())

    def test_state(self):
        self.assertTrue(MPI.Is_initialized())
        self.assertFalse(MPI.Is_finalized())

    def test_processor(self):
        self.assertEqual(MPI.Get_processor_name(), os.uname().nodename)

    def test_time(self):
        first = MPI.Wtime()
        self.assertGreaterEqual(MPI.Wtime(), first)
        self.assertGreater(MPI.Wtick(), 0)

    def test_pcontrol(self):
        MPI.Pcontrol(2)
        MPI.Pcontrol(0)

    def test_world(self):
        self.assertEqual(MPI.COMM_WORLD.Get_size(), self.size)
        self.assertEqual(MPI.COMM_SELF.Get_size(), 1)

    def test_universe(self):
        size = MPI.COMM_WORLD.Get_attr(MPI.UNIVERSE_SIZE)
        self.assertTrue(size is None or size >= self.size)
