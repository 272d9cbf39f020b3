#!/usr/bin/env python3
# DAMPI-TEST
#   np: 3
#   expect: deadlock
#   interleavings: 2
#   outcomes: {0#0<-1} {0#0<-2}
#   where: deadlock.py:@
# When the first message is that of rank 2, rank 0 waits for another one of it.
import os

os.environ["MINI_MPI_THREADS"] = "serialized"
import mini_mpi

if mini_mpi.rank() == 0:
    mini_mpi.recv(-1, 0)
    mini_mpi.recv(2, 0)  #@
else:
    mini_mpi.send(b"x", 0, 0)
