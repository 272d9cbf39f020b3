#!/usr/bin/env python3
# DAMPI-TEST
#   np: 3
#   expect: clean
#   interleavings: 2
#   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
# As mpi4py does unless told otherwise: MPI_THREAD_MULTIPLE, though there is one thread.
import mini_mpi

if mini_mpi.rank() == 0:
    for _ in range(2):
        mini_mpi.recv(-1, 0)
else:
    mini_mpi.send(b"x", 0, 0)
