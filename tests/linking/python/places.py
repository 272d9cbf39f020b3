#!/usr/bin/env python3
# DAMPI-TEST
#   np: 4
#   expect: clean
#   interleavings: 6
#   options: --loop-bound 1
# Receives in different lines are no loop, though all of them are one call of the module's.
import mini_mpi

if mini_mpi.rank() == 0:
    mini_mpi.recv(-1, 0)
    mini_mpi.recv(-1, 0)
    mini_mpi.recv(-1, 0)
else:
    mini_mpi.send(b"x", 0, 0)
