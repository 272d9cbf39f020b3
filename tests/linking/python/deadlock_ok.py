#!/usr/bin/env python3
# DAMPI-TEST
#   np: 3
#   expect: clean
#   interleavings: 2
#   outcomes: {0#0<-1} {0#0<-2}
# The correct twin of deadlock.py: it waits for the other one.
import os

os.environ["MINI_MPI_THREADS"] = "serialized"
import mini_mpi

if mini_mpi.rank() == 0:
    _, source, _ = mini_mpi.recv(-1, 0)
    mini_mpi.recv(3 - source, 0)
else:
    mini_mpi.send(b"x", 0, 0)
