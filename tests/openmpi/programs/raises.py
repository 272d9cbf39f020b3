from mpi4py import MPI

if MPI.COMM_WORLD.rank == 1:
    raise ValueError("boom")
MPI.COMM_WORLD.Barrier()
