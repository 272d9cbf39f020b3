#!/usr/bin/env python3
# DAMPI-TEST
#   np: 3
#   expect: incomplete
#   interleavings: 2
#   options: --explore explored
# Python's functions have names. Without the option there are 4 interleavings.
import mini_mpi


def explored():
    mini_mpi.recv(-1, 0)


def other():
    mini_mpi.recv(-1, 1)


if mini_mpi.rank() == 0:
    explored()
    other()
    mini_mpi.recv(-1, 0)
    mini_mpi.recv(-1, 1)
else:
    mini_mpi.send(b"x", 0, 0)
    mini_mpi.send(b"x", 0, 1)
