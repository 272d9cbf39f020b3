#!/usr/bin/env python3
# DAMPI-TEST
#   np: 4
#   expect: clean
#   interleavings: 6
#   outcomes: {0#0<-1 0#1<-2 0#2<-3} {0#0<-1 0#1<-3 0#2<-2} {0#0<-2 0#1<-1 0#2<-3} {0#0<-2 0#1<-3 0#2<-1}
#     {0#0<-3 0#1<-1 0#2<-2} {0#0<-3 0#1<-2 0#2<-1}
# Three messages, three wildcards: 3! orders.
import os
import pickle

os.environ["MINI_MPI_THREADS"] = "serialized"
import mini_mpi

assert "LD_PRELOAD" not in os.environ and not any(name.startswith("DAMPI") and name != "DAMPI_MPICH" for name in os.environ)
parts = pickle.loads(mini_mpi.bcast(pickle.dumps(["a", "b"]) if mini_mpi.rank() == 0 else None, 0))
assert parts == ["a", "b"]
if mini_mpi.rank() == 0:
    senders = set()
    for _ in range(3):
        data, source, tag = mini_mpi.recv(-1, -1)
        assert pickle.loads(data) == {"from": source} and tag == source
        senders.add(source)
    assert senders == {1, 2, 3}
else:
    mini_mpi.send(pickle.dumps({"from": mini_mpi.rank()}), 0, mini_mpi.rank())
