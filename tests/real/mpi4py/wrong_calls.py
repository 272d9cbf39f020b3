"""Exceptions and error handlers. The calls here are wrong on purpose: dampi reports them as violations."""
import numpy
from mpi4py import MPI

from common import Case


class Exceptions(Case):
    def test_rank(self):
        self.refused(MPI.ERR_RANK, self.comm.Send, numpy.zeros(1), self.size)

    def test_receive_rank(self):
        self.refused(MPI.ERR_RANK, self.comm.recv, None, -77)

    def test_tag(self):
        self.refused(MPI.ERR_TAG, self.comm.send, None, 0, -5)

    def test_root(self):
        self.refused(MPI.ERR_ROOT, self.comm.Bcast, numpy.zeros(1), self.size)

    def test_count(self):
        self.refused(MPI.ERR_COUNT, MPI.INT.Create_contiguous, -1)

    def test_datatype(self):
        datatype = MPI.INT.Create_contiguous(1)
        self.refused(MPI.ERR_TYPE, self.comm.Send, [numpy.zeros(1, "i"), 1, datatype], self.next)
        datatype.Free()

    def test_datatype_null(self):
        self.refused(MPI.ERR_TYPE, MPI.DATATYPE_NULL.Get_size)

    def test_communicator(self):
        self.refused(MPI.ERR_COMM, MPI.COMM_NULL.Get_size)

    def test_group(self):
        self.refused(MPI.ERR_GROUP, MPI.GROUP_NULL.Get_size)

    def test_operator(self):
        into = numpy.zeros(1)
        self.refused(MPI.ERR_OP, self.comm.Allreduce, numpy.zeros(1), into, MPI.OP_NULL)

    def test_request(self):
        self.refused(MPI.ERR_REQUEST, MPI.REQUEST_NULL.Free)

    def test_window(self):
        self.refused(MPI.ERR_WIN, MPI.WIN_NULL.Fence)

    def test_file(self):
        self.refused(MPI.ERR_FILE, MPI.FILE_NULL.Get_size)

    def test_info(self):
        with self.assertRaises(MPI.Exception):
            MPI.INFO_NULL.Get_nkeys()

    def test_dims(self):
        with self.assertRaises(MPI.Exception):
            MPI.Compute_dims(7, [2, 0])

    def test_keyval(self):
        with self.assertRaises(MPI.Exception):
            self.comm.Get_attr(MPI.KEYVAL_INVALID)

    def test_free_world(self):
        with self.assertRaises(MPI.Exception):
            MPI.COMM_WORLD.Free()

    def test_truncation(self):
        request = self.comm.Isend(numpy.zeros(4), self.next)
        self.refused(MPI.ERR_TRUNCATE, self.comm.Recv, numpy.zeros(2), self.previous)
        request.Wait()

    def test_properties(self):
        with self.assertRaises(MPI.Exception) as raised:
            self.comm.Send(numpy.zeros(1), self.size + 5)
        error = raised.exception
        self.assertEqual(error.Get_error_class(), MPI.Get_error_class(error.Get_error_code()))
        self.assertIn("rank", error.Get_error_string().lower())
        self.assertEqual((error.error_class, error.error_string), (error.Get_error_class(), error.Get_error_string()))
        self.assertEqual(int(error), error.Get_error_code())
        self.assertEqual(error, error.Get_error_code())
        self.assertTrue(error)

    def test_made_by_hand(self):
        error = MPI.Exception(MPI.ERR_TAG)
        self.assertEqual(error.Get_error_class(), MPI.ERR_TAG)
        self.assertEqual(MPI.Exception(MPI.SUCCESS).Get_error_code(), 0)
        self.assertFalse(MPI.Exception())
        self.assertLess(MPI.Exception(MPI.ERR_BUFFER), MPI.ERR_LASTCODE)

    def test_strings(self):
        for code in range(MPI.ERR_BUFFER, MPI.ERR_OTHER):
            self.assertTrue(MPI.Get_error_string(code))

    def test_own_classes(self):
        error_class = MPI.Add_error_class()
        code = MPI.Add_error_code(error_class)
        MPI.Add_error_string(code, "my own error")
        self.assertEqual((MPI.Get_error_class(code), MPI.Get_error_string(code)), (error_class, "my own error"))


class Handlers(Case):
    def test_default_is_an_exception(self):
        handler = self.comm.Get_errhandler()
        self.assertEqual(handler, MPI.ERRORS_RETURN)
        handler.Free()

    def test_set(self):
        self.comm.Set_errhandler(MPI.ERRORS_ARE_FATAL)
        handler = self.comm.Get_errhandler()
        self.assertEqual(handler, MPI.ERRORS_ARE_FATAL)
        handler.Free()
        self.comm.Set_errhandler(MPI.ERRORS_RETURN)
        self.refused(MPI.ERR_RANK, self.comm.Send, numpy.zeros(1), self.size)

    def test_inherited(self):
        other = self.comm.Dup()
        handler = other.Get_errhandler()
        self.assertEqual(handler, MPI.ERRORS_RETURN)
        handler.Free()
        other.Free()

    def test_call(self):
        self.comm.Call_errhandler(MPI.SUCCESS)
        self.comm.Call_errhandler(MPI.ERR_OTHER)

    def test_window(self):
        window = MPI.Win.Create(None, comm=self.comm)
        window.Set_errhandler(MPI.ERRORS_RETURN)
        handler = window.Get_errhandler()
        self.assertEqual(handler, MPI.ERRORS_RETURN)
        handler.Free()
        window.Call_errhandler(MPI.ERR_OTHER)
        window.Free()

    def test_file(self):
        handler = MPI.FILE_NULL.Get_errhandler()
        self.assertEqual(handler, MPI.ERRORS_RETURN)
        handler.Free()

    def test_goes_on_after_an_error(self):
        for _ in range(3):
            self.refused(MPI.ERR_RANK, self.comm.Send, numpy.zeros(1), self.size)
        self.assertEqual(self.comm.allreduce(1), self.size)
