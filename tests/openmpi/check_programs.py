#!/usr/bin/env python3
"""check_programs.py DAMPI_RUN MPICC MPIFORT WORK CASE

Programs of Open MPI's that are not among tests/programs. CASE:
  python    Debian's mpi4py: a fault in one order is found, at the line of the Python program; skipped without it
  refusals  the tools' interface, two MPI libraries in one program, Open MPI's library loaded by the program: a
            sentence, exit status 2, nothing verified
  variables what Open MPI's launcher tells ranks in their environment is there before MPI_Init
  spawning  where processes cannot be started, the run ends, and nothing is said against the program
  executed  programs that others start have the MPI library that they were built with, whatever mpi4py is there
  missing   a library that translates is not there: a sentence
  alone     Open MPI's libraries themselves need not be there
  mixed     a program in C with a library of its own in Fortran
  constants what Fortran's header files of Open MPI's have is what C has, and what piggyback/openmpi knows
"""
import json
import os
import re
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
    done, report = verify(2, PYTHON, os.path.join(HERE, "programs/raises.py"))
    check(done.returncode == 1 and [each["kind"] for each in report["violations"]] == ["deadlock"], "other findings", done)
    check("standard error: ValueError: boom (raises.py:4)" in done.stdout, "the exception is not told", done)


def build(command, source, *options):
    program = os.path.join(WORK, os.path.splitext(source)[0])
    done = run(command, "-g", *options, "-o", program, os.path.join(HERE, "programs", source))
    check(done.returncode == 0, f"{source} cannot be built", done)
    return program


def refusals():
    done, report = verify(2, build(MPICC, "tools_interface.c"))
    check(done.returncode == 2 and report is None and "MPI_T_init_thread" in done.stderr, "not refused", done)
    check(len(done.stderr.splitlines()) == 1, "not one sentence", done)


    # Linked with both.
    both = build(MPICC, "first_comes.c")
    mpich = run("mpicc.mpich", "-link_info")
    if mpich.returncode == 0:
        both = build(MPICC, "first_comes.c", "-Wl,--no-as-needed", "-l:libmpich.so.12")
        done, report = verify(2, both)
        check(done.returncode == 2 and report is None and "two MPI libraries" in done.stderr, "not refused", done)
    source = os.path.join(WORK, "loads.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <dlfcn.h>\nint main(void) {\n"
                   'void* library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);\n'
                   'int (*init)(void*, void*) = (int (*)(void*, void*))dlsym(library, "MPI_Init");\n'
                   "return init(0, 0); }\n")
    program = os.path.join(WORK, "loads")
    done = run("cc", "-o", program, source)
    check(done.returncode == 0, "loads.c cannot be built", done)
    done, _ = verify(2, program)
    check(done.returncode == 2 and "libmpi.so.40 at run time" in done.stderr, "not refused", done)


def variables():
    source = os.path.join(WORK, "variables.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("""#include <mpi.h>
#include <assert.h>
#include <stdlib.h>
static int number(const char* name) { assert(getenv(name) != NULL); return atoi(getenv(name)); }
int main(void) {
    int own = number("OMPI_COMM_WORLD_RANK"), all = number("OMPI_COMM_WORLD_SIZE"), rank, size;
    assert(number("OMPI_COMM_WORLD_LOCAL_RANK") == own && number("OMPI_COMM_WORLD_NODE_RANK") == own);
    assert(number("PMIX_RANK") == own && number("OMPI_COMM_WORLD_LOCAL_SIZE") == all && number("OMPI_UNIVERSE_SIZE") == all);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(rank == own && size == all);
    MPI_Finalize();
}
""")
    program = os.path.join(WORK, "variables")
    done = run(MPICC, "-o", program, source)
    check(done.returncode == 0, "variables.c cannot be built", done)
    for options in ((), ("--engine", "distributed"), ("--no-prepare",)):
        done, _ = verify(3, program, options=options)
        check(done.returncode == 0, f"a finding with {options}", done)
    done, _ = verify(3, "env", program)
    check(done.returncode == 0, "a finding behind env", done)


def spawning():
    source = os.path.join(WORK, "spawning.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("""#include <mpi.h>
int main(int count, char** words) {
    MPI_Comm made;
    MPI_Init(&count, &words);
    if (count > 1) { MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }
    MPI_Comm_spawn(words[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
    for (;;) {}
}
""")
    program = os.path.join(WORK, "spawning")
    done = run(MPICC, "-g", "-o", program, source)
    check(done.returncode == 0, "spawning.c cannot be built", done)
    for words in ([program], [program, "returns"]):
        done, report = verify(2, *words)
        check(done.returncode == 3 and report["violations"] == [], "not incomplete", done)
        check("MPI_Comm_spawn at " in done.stdout and "spawning.c:6" in done.stdout, "the call is not named", done)


def executed():
    """Each program that a script or another one starts deadlocks in one order."""
    built = {"openmpi": build(MPICC, "first_comes.c")}
    os.rename(built["openmpi"], built["openmpi"] + ".openmpi")
    built["openmpi"] += ".openmpi"
    if shutil.which("mpicc.mpich"):
        built["mpich"] = build("mpicc.mpich", "first_comes.c")
    starter = os.path.join(WORK, "starter.c")
    with open(starter, "w", encoding="utf-8") as file:
        file.write("#include <stdlib.h>\nint main(int c, char** v) { return system(v[c - 1]); }\n")
    done = run("cc", "-o", os.path.join(WORK, "starter"), starter)
    check(done.returncode == 0, "starter.c cannot be built", done)
    script = os.path.join(WORK, "executes.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write("import os\nimport sys\nos.execv(sys.argv[1], sys.argv[1:])\n")
    for program in built.values():
        for words in (["env", program], ["sh", "-c", f"echo begins; {program}"], [PYTHON, script, program],
                      [os.path.join(WORK, "starter"), program]):
            done, report = verify(3, *words)
            check(done.returncode == 1 and report is not None, f"no finding in {words}", done)
            check([each["kind"] for each in report["violations"]] == ["deadlock"], f"other findings in {words}", done)
    closing = os.path.join(WORK, "closes.py")
    with open(closing, "w", encoding="utf-8") as file:
        file.write("import subprocess\nimport sys\nsys.exit(subprocess.call(sys.argv[1:], close_fds=sys.argv[1] != 'env'))\n")
    for program in built.values():
        done, _ = verify(3, PYTHON, closing, program)
        check(done.returncode == 2 and "close_fds=False" in done.stderr, "no sentence", done)
        done, report = verify(3, PYTHON, closing, "env", program)
        check(done.returncode == 1 and report is not None, "no finding", done)


def missing():
    """A dampi-run without the libraries says so."""
    parts = os.path.join(WORK, "parts")
    built = os.path.dirname(os.path.dirname(os.path.realpath(DAMPI_RUN)))
    for folder, names in (("scheduler", ["dampi-run"]), ("piggyback", ["libdampi.so", "libdampi-central.so"]), ("launch", ["dampi-rank"])):
        os.makedirs(os.path.join(parts, folder))
        for name in names:
            shutil.copy(os.path.join(built, folder, name), os.path.join(parts, folder, name))

    def lacks(library, program):
        done = run(os.path.join(parts, "scheduler/dampi-run"), "-n", 2, "-o", os.path.join(WORK, "out"), program)
        check(done.returncode == 2 and library in done.stderr and "install dampi again" in done.stderr, "no sentence", done)

    lacks("libdampi-openmpi.so", build(MPICC, "first_comes.c"))
    if os.path.exists(MPIFORT):
        shutil.copy(os.path.join(built, "piggyback/libdampi-openmpi.so"), os.path.join(parts, "piggyback"))
        lacks("libdampi-openmpi-fortran.so", build(MPIFORT, "first_comes.f90"))


def alone():
    """Their paths are not where the loader looks: empty libraries of those names are nothing but found first."""
    # Whoever loads these ends.
    source = os.path.join(WORK, "no.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <stdlib.h>\n__attribute__((constructor)) static void end(void) { abort(); }\n")
    for library in ("libmpi.so.40", "libmpi_mpifh.so.40"):
        done = run("cc", "-shared", "-fPIC", "-o", os.path.join(WORK, library), source)
        check(done.returncode == 0, "no library", done)
    for command, text, line in ((MPICC, "first_comes.c", 10), (MPIFORT, "first_comes.f90", 9)):
        if not os.path.exists(command):
            continue
        program = build(command, text, "-Wl,--as-needed,--disable-new-dtags,-rpath," + WORK)
        for engine in ("auto", "distributed"):
            done, report = verify(3, program, options=("--engine", engine))
            check(done.returncode == 1 and [each["kind"] for each in report["violations"]] == ["deadlock"], "other findings", done)
            place = report["violations"][0]["epochs"][0]["where"]
            check(place["file"].endswith(text) and place["line"] == line, f"the choice is at {place}", done)
            check(report["violations"][0]["repeated_by_mpi"] is not None or engine == "distributed", "not repeated by MPI", done)


def mixed():
    if not os.path.exists(MPIFORT):
        sys.exit(SKIPPED)
    library = os.path.join(WORK, "libmixed.so")
    done = run(MPIFORT, "-g", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "programs/mixed.f90"))
    check(done.returncode == 0, "mixed.f90 cannot be built", done)
    program = os.path.join(WORK, "mixed")
    done = run(MPICC, "-g", "-o", program, os.path.join(HERE, "programs/mixed.c"), library, "-Wl,-rpath," + WORK)
    check(done.returncode == 0, "mixed.c cannot be built", done)
    for engine in ("auto", "distributed"):
        done, _ = verify(1, program, options=("--engine", engine))
        check(done.returncode == 0, "a finding", done)


def constants():
    if not os.path.exists(MPIFORT):
        sys.exit(SKIPPED)
    folders = run(MPIFORT, "--showme:incdirs").stdout.split()
    text = {}
    for folder in folders:
        for name in ("mpif-constants.h", "mpif-io-constants.h", "mpif-config.h", "mpif-handles.h", "mpif-sentinels.h"):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    text[name] = file.read()
    values = dict(re.findall(r"parameter *\((MPI_\w+) *= *(-?\d+)\)", "".join(text.values())))
    if len(values) < 200:
        print(f"FAILED: only {len(values)} constants in {folders}")
        sys.exit(1)
    # What is the same in C, so that nothing is made of it.
    only_in_fortran = re.compile(r"MPI_(SOURCE|TAG|ERROR|STATUS_SIZE|\w+_KIND|COMBINER_\w+_INTEGER)$")
    handles = dict(re.findall(r"parameter *\((MPI_\w+) *= *(-?\d+)\)", text["mpif-handles.h"]))
    source = os.path.join(WORK, "constants.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <mpi.h>\n")
        for name, value in values.items():
            if name not in handles and not only_in_fortran.match(name):
                # The room for a string is without the character at its end.
                more = " + 1" if re.match(r"MPI_MAX_\w+", name) else ""
                file.write(f'_Static_assert({name} == {value}{more}, "{name}");\n')
    done = run(MPICC, "-fsyntax-only", source)
    check(done.returncode == 0, "constants are others in C", done)
    expected = {"MPI_SOURCE": "1", "MPI_TAG": "2", "MPI_ERROR": "3", "MPI_STATUS_SIZE": "6", "MPI_ADDRESS_KIND": "8",
                "MPI_OFFSET_KIND": "8", "MPI_COUNT_KIND": "8", "MPI_INTEGER_KIND": "4"}
    other = {name for name, value in expected.items() if values.get(name) != value}
    known = os.path.join(HERE, "../../piggyback/openmpi")
    with open(os.path.join(known, "fortran/sentinels.def"), encoding="utf-8") as file:
        ours = set(re.findall(r"^SENTINEL\((\w+),", file.read(), re.M))
    other |= ours ^ set(re.findall(r"common/mpi_fortran_(\w+)/", text["mpif-sentinels.h"]))
    # Not those that are in C, too: abi_check asks the library.
    with open(os.path.join(known, "predefined.def"), encoding="utf-8") as file:
        numbers = set(re.findall(r"^OBJECT\(MPI_\w+, \w+, \d+, (\d+),", file.read(), re.M))
    other |= {name for name, value in handles.items() if value not in numbers}
    if other:
        print(f"FAILED: others are {sorted(other)}")
        sys.exit(1)


shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
{"python": python, "refusals": refusals, "executed": executed, "variables": variables, "spawning": spawning, "missing": missing, "alone": alone, "mixed": mixed, "constants": constants}[CASE]()
