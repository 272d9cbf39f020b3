"""Runs the tests of this directory in every rank, and prints one summary, of which rank 0 alone writes.

    mpiexec -n N python3 run.py [PATTERN]     PATTERN of file names, default test_*.py

The numbers in it are the sums over all ranks, so that a test that fails or is skipped in one rank only is seen.
"""
import io
import os
import sys
import time
import unittest

from mpi4py import MPI

here = os.path.dirname(os.path.abspath(__file__))
pattern = sys.argv[1] if len(sys.argv) > 1 else "test_*.py"
stream = io.StringIO()
begin = time.time()
suite = unittest.defaultTestLoader.discover(here, pattern)
result = unittest.TextTestRunner(stream, verbosity=0).run(suite)
numbers = (result.testsRun, len(result.failures), len(result.errors), len(result.skipped))
parts = MPI.COMM_WORLD.gather((numbers, stream.getvalue() if result.failures or result.errors else ""))
if parts is not None:
    for rank, (_, text) in enumerate(parts):
        if text:
            # Not "Ran": that is the summary of all.
            print(f"rank {rank}:\n" + text.replace("Ran ", "rank ran ").replace("FAILED", "rank failed"))
    ran, failed, errors, skipped = (sum(column) for column in zip(*(part[0] for part in parts)))
    print(f"Ran {ran} tests in {time.time() - begin:.3f}s\n")
    verdict = "FAILED" if failed or errors else "OK"
    print(f"{verdict} (failures={failed}, errors={errors}, skipped={skipped})", flush=True)
sys.exit(not result.wasSuccessful())
