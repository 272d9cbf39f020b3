# The first message is taken to be that of rank 1.
from mpi4py import MPI

world = MPI.COMM_WORLD
status = MPI.Status()
if world.Get_rank() == 0:
    first = world.recv(source=MPI.ANY_SOURCE, status=status)
    for _ in range(2, world.Get_size()):
        world.recv(source=MPI.ANY_SOURCE)
    assert status.Get_source() == first == 1
else:
    world.send(world.Get_rank(), dest=0)
