#!/usr/bin/env python3
# DAMPI-TEST
#   np: 3
#   expect: clean
#   interleavings: 2
#   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
# The functions are looked up in the MPI library itself.
import ctypes

mpi = ctypes.CDLL("libmpich.so.12")
world, an_int, any_source = 0x44000000, 0x4C000405, -2
mpi.MPI_Init(None, None)
number = ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(number))
if number.value == 0:
    numbers = set()
    for function in (mpi.MPI_Recv, mpi.PMPI_Recv):
        function(ctypes.byref(number), 1, an_int, any_source, 0, world, ctypes.c_void_p(1))
        numbers.add(number.value)
    assert numbers == {1, 2}
else:
    mpi.MPI_Send(ctypes.byref(number), 1, an_int, 0, 0, world)
mpi.MPI_Finalize()
