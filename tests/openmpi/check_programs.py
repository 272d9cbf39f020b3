#!/usr/bin/env python3
"""check_programs.py DAMPI_RUN MPICC MPIFORT WORK CASE

Programs of Open MPI's that are not among tests/programs. CASE:
  python    Debian's mpi4py: a fault in one order is found, at the line of the Python program; skipped without it
  refusals  the tools' interface: a sentence, exit status 2, nothing started
  missing   the library that translates is not there: a sentence
  alone     Open MPI's library itself need not be there
"""
import json
import os
import shutil
import subprocess
import sys

DAMPI_RUN, MPICC, MPIFORT, WORK, CASE = sys.argv[1:6]
HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
# Debian's own, which its package is for.
PYTHON = "/usr/bin/python3"


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=False, **more)


def check(holds, what, done):
    if not holds:
        print(f"FAILED: {what}\nexit status {done.returncode}\n{done.stdout}\n{done.stderr}")
        sys.exit(1)


def verify(processes, *program, options=()):
    out = os.path.join(WORK, "out")
    shutil.rmtree(out, ignore_errors=True)
    done = run(DAMPI_RUN, "-n", processes, "-o", out, *options, *program)
    try:
        with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
            return done, json.load(file)
    except FileNotFoundError:
        return done, None


def python():
    if run(PYTHON, "-c", "import mpi4py").returncode != 0:
        sys.exit(SKIPPED)
    source = os.path.join(HERE, "programs/first_comes.py")
    # As most scripts begin: another program is executed in the rank.
    script = os.path.join(WORK, "script")
    with open(source, encoding="utf-8") as text, open(script, "w", encoding="utf-8") as file:
        next(text)
        file.write(f"#!/usr/bin/env -S {PYTHON}\n" + text.read())
    os.chmod(script, 0o755)
    for program in ([PYTHON, source], [script]):
        done, report = verify(3, *program)
        check(done.returncode == 1 and report is not None, "no finding", done)
        check([each["kind"] for each in report["violations"]] == ["exit"], "other findings", done)
        check(report["mpi_library"]["translated"], "not translated", done)
        lines = [epoch["where"]["line"] for epoch in report["violations"][0]["epochs"]]
        check(lines[0] == 7, f"the choice is in lines {lines}", done)


def build(command, source, *options):
    program = os.path.join(WORK, os.path.splitext(source)[0])
    done = run(command, "-g", *options, "-o", program, os.path.join(HERE, "programs", source))
    check(done.returncode == 0, f"{source} cannot be built", done)
    return program


def refusals():
    done, report = verify(2, build(MPICC, "tools_interface.c"))
    check(done.returncode == 2 and report is None and "MPI_T_init_thread" in done.stderr, "not refused", done)
    check(len(done.stderr.splitlines()) == 1, "not one sentence", done)


def missing():
    """A dampi-run without the library says so."""
    program = build(MPICC, "first_comes.c")
    parts = os.path.join(WORK, "parts")
    built = os.path.dirname(os.path.dirname(os.path.realpath(DAMPI_RUN)))
    for folder, names in (("scheduler", ["dampi-run"]), ("piggyback", ["libdampi.so", "libdampi-central.so"]), ("launch", ["dampi-rank"])):
        os.makedirs(os.path.join(parts, folder))
        for name in names:
            shutil.copy(os.path.join(built, folder, name), os.path.join(parts, folder, name))
    done = run(os.path.join(parts, "scheduler/dampi-run"), "-n", 2, "-o", os.path.join(WORK, "out"), program)
    check(done.returncode == 2 and "libdampi-openmpi.so" in done.stderr and "install dampi again" in done.stderr, "no sentence", done)


def alone():
    """Its path is not where the loader looks: an empty library of that name is nothing but found first."""
    program = build(MPICC, "first_comes.c", "-Wl,--disable-new-dtags,-rpath," + WORK)
    # Whoever loads this one ends.
    source = os.path.join(WORK, "no.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <stdlib.h>\n__attribute__((constructor)) static void end(void) { abort(); }\n")
    done = run("cc", "-shared", "-fPIC", "-o", os.path.join(WORK, "libmpi.so.40"), source)
    check(done.returncode == 0, "no library", done)
    for engine in ("auto", "distributed"):
        done, report = verify(3, program, options=("--engine", engine))
        check(done.returncode == 1 and [each["kind"] for each in report["violations"]] == ["deadlock"], "other findings", done)
        check(report["violations"][0]["repeated_by_mpi"] is not None or engine == "distributed", "not repeated by MPI", done)


shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
{"python": python, "refusals": refusals, "missing": missing, "alone": alone}[CASE]()
