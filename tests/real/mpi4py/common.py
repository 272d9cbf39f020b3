"""What the tests share. Each test has a communicator of its own, so that nothing of one can get into another."""
import unittest

import numpy
from mpi4py import MPI

TYPECODES = "bhilqBHILQfd"


class Case(unittest.TestCase):
    def communicator(self):
        return MPI.COMM_WORLD.Dup()

    def setUp(self):
        self.comm = self.communicator()
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()
        self.next, self.previous = (self.rank + 1) % self.size, (self.rank - 1) % self.size

    def tearDown(self):
        if self.comm != MPI.COMM_NULL:
            self.comm.Barrier()
            self.comm.Free()

    def refused(self, error_class, function, *arguments, **named):
        with self.assertRaises(MPI.Exception) as raised:
            function(*arguments, **named)
        self.assertEqual(raised.exception.Get_error_class(), error_class)

    def same(self, left, right):
        self.assertEqual(numpy.asarray(left).tolist(), numpy.asarray(right).tolist())


class Reversed:
    """The same tests with the ranks in the opposite order."""

    def communicator(self):
        return MPI.COMM_WORLD.Split(0, -MPI.COMM_WORLD.Get_rank())


class Alone:
    """The same tests in each rank by itself."""

    def communicator(self):
        return MPI.COMM_SELF.Dup()


def two_sides(test):
    """An intercommunicator of the even and the odd ranks, and the communicator of this rank's side."""
    world = MPI.COMM_WORLD
    if world.Get_size() < 2:
        test.skipTest("needs two ranks")
    side = world.Get_rank() % 2
    local = world.Split(side)
    return local.Create_intercomm(0, world, 1 - side, 17), local


class Shape:
    """A class of the program's own, to be pickled."""

    def __init__(self, name, sides):
        self.name, self.sides = name, sides

    def __eq__(self, other):
        return (self.name, self.sides) == (other.name, other.sides)
