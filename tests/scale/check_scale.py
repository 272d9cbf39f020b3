"""dampi-scale as a user runs it.

  right    where nothing goes wrong, a file without bounds
  bounds   of faulty.c: each bound with its form, one of each way to fail; what goes round them does; dampi-run warns
  refused  wrong words and broken files: a sentence, exit status 2, and no file
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

scale, run, mpicc, mpiexec, folder, case = sys.argv[1:]
here = pathlib.Path(__file__).parent
folder = pathlib.Path(folder)
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def call(*words, status, **variables):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=500,
                          env={**environment, **variables})
    assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def measure(*words, status, preload=()):
    launcher = f"env LD_PRELOAD={':'.join(map(str, preload))} {mpiexec}" if preload else mpiexec
    return call(scale, "--mpicc", mpicc, "--mpiexec", launcher, *words, status=status)


def compiled(name, *options):
    into = folder / name
    subprocess.run([mpicc, "-g", "-O1", "-o", into, here / "programs" / f"{pathlib.Path(name).stem}.c", *options], check=True,
                   timeout=120)
    return into


def right():
    printed = measure("-n", 2, "--memory", "1M", "MPI_Gatherv", "MPI_Ireduce_scatter_block", status=0)
    assert "nothing went wrong" in printed, printed
    found = json.loads((folder / "dampi-scale.json").read_text())
    assert "MPICH" in found["library"], found
    assert found["bounds"] == [] and [each["collective"] for each in found["measured"]] == [
        "MPI_Gatherv", "MPI_Ireduce_scatter_block"], found
    assert found["measured"][0]["passes"] == (1 << 20) // 4 and found["measured"][0]["fails"] is None, found
    assert found["measured"][0]["why"] == "there is no memory for more", found


def bounds():
    faulty = compiled("faulty.so", "-shared", "-fPIC", "-ldl")
    collectives = ["MPI_Gather", "MPI_Ibcast", "MPI_Alltoall", "MPI_Allreduce"]
    printed = measure("-n", 2, "--memory", "4M", "--seconds", 2, *collectives, status=1, preload=[faulty])
    found = json.loads((folder / "dampi-scale.json").read_text())
    by_name = {each["collective"]: each for each in found["bounds"]}
    assert sorted(by_name) == sorted(collectives), printed
    # The step is a sixteenth of what lies between the two numbers that it was between.
    for name, form, most in (("MPI_Gather", "nP", 3000), ("MPI_Ibcast", "sn", 1000), ("MPI_Alltoall", "snP", 20000),
                             ("MPI_Allreduce", "this size", 500)):
        assert by_name[name]["form"] == form, (name, by_name[name], printed)
        assert 0.8 * most < by_name[name]["most"] <= most, (name, by_name[name], printed)
    why = {each["collective"]: each["why"] for each in found["measured"]}
    assert "wrong data" in why["MPI_Gather"] and "not over" in why["MPI_Ibcast"] and "status" in why["MPI_Alltoall"], why

    # What goes round them does, with the same library, and round displacements.
    call(scale, "--mpicc", mpicc, "--workarounds", "dampi-scale.json", status=0)
    around = folder / "libdampi-scale.so"
    measure("-n", 2, "--memory", "4M", "--seconds", 30, "-o", "around.json", *collectives, status=0,
            preload=[around, faulty])
    spread = compiled("spread")
    assert "all is right" in call("env", f"LD_PRELOAD={around}", mpiexec, "-n", 3, spread, status=0)

    # dampi-run says so beforehand.
    gathers = compiled("gathers")
    printed = call(run, "-n", 2, "--scale-bounds", "dampi-scale.json", gathers, 2000, status=0)
    assert "not a violation: unusual" in printed and "more than this MPI library was seen to take" in printed, printed
    assert "gathers.c:12" in printed, printed
    call(run, "-n", 2, "--scale-bounds", "dampi-scale.json", "--fail-on", "warning", gathers, 2000, status=1)
    assert "unusual" not in call(run, "-n", 2, "--scale-bounds", "dampi-scale.json", gathers, 100, status=0)
    assert "unusual" not in call(run, "-n", 2, gathers, 2000, status=0)
    # Displacements that have overflowed are refused before MPI takes them.
    printed = call(run, "-n", 3, spread, status=1)
    assert "argument/displacement" in printed and "32 bits leave of 2400000000" in printed, printed


def refused():
    assert "MPI_Barrier" in measure("MPI_Barrier", status=2)
    assert "--mpicc" in call(scale, "--mpicc", "false", "MPI_Bcast", status=2)
    assert "could not be run" in call(scale, "--mpicc", mpicc, "--mpiexec", "false", "MPI_Bcast", status=2)
    assert "--mpiexec is empty" in call(scale, "--mpicc", mpicc, "--mpiexec", "", "MPI_Bcast", status=2)
    assert "cannot read" in call(scale, "--workarounds", "none.json", status=2)
    (folder / "bad.json").write_text('{"dampi_scale": 1, "library": ""}')
    gathers = compiled("gathers")
    for words in ([scale, "--workarounds", "bad.json"], [run, "-n", 2, "--scale-bounds", "bad.json", gathers]):
        printed = call(*words, status=2)
        assert "bad.json is not what dampi-scale writes" in printed, printed
    assert sorted(each.name for each in folder.iterdir()) == ["bad.json", "gathers"], list(folder.iterdir())


{"right": right, "bounds": bounds, "refused": refused}[case]()
