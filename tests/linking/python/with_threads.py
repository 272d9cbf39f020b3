#!/usr/bin/env python3
# DAMPI-TEST
#   np: 2
#   expect: incomplete
# Several threads call MPI while another one computes in Python.
import threading

import mini_mpi

rounds = 200
done = False


def compute():
    while not done:
        pass


def exchange(tag):
    for _ in range(rounds):
        if mini_mpi.rank() == 0:
            mini_mpi.send(b"x", 1, tag)
            mini_mpi.recv(1, tag)
        else:
            mini_mpi.recv(0, tag)
            mini_mpi.send(b"x", 0, tag)


threads = [threading.Thread(target=exchange, args=(tag,)) for tag in range(2)]
computing = threading.Thread(target=compute)
for thread in [*threads, computing]:
    thread.start()
for thread in threads:
    thread.join()
done = True
computing.join()
