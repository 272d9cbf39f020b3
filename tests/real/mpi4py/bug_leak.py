# EXPECT: leak/communicator
# A communicator that is never freed: Python's garbage collection does not do it.
from mpi4py import MPI

copy = MPI.COMM_WORLD.Dup()
copy.Barrier()
