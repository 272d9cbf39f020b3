# EXPECT: rank 0 needs rank 1 to send a message
# When the first message is that of rank 1, rank 0 waits for another one of it.
from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.rank == 0:
    comm.recv(source=MPI.ANY_SOURCE)
    comm.recv(source=1)
else:
    comm.send(comm.rank, 0)
