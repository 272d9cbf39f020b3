#!/usr/bin/env python3
"""self_test.py SCRATCH_FOLDER

Plants one violation after the other in a small tree and sees that check_includes.py names it.
"""
import os
import shutil
import subprocess
import sys

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_includes.py")
FOLDERS = ["base", "clocks", "replay", "heuristics", "transport", "transport/memory", "transport/requests", "launch", "launch/program",
           "piggyback/rank", "piggyback/distributed", "piggyback/central", "scheduler", "scheduler/exploration",
           "scheduler/engines", "scheduler/engines/central", "scheduler/report", "scheduler/cli"]


def plant(scratch, files):
    shutil.rmtree(scratch, ignore_errors=True)
    for folder in FOLDERS:
        files = {f"{folder}/own.hpp": "#pragma once\n#include <vector>\n", **files}
    for path, text in files.items():
        os.makedirs(os.path.join(scratch, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(scratch, path), "w", encoding="utf-8") as file:
            file.write(text)


def check(scratch):
    done = subprocess.run([sys.executable, CHECK, scratch], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def expect(scratch, outcome, path, line):
    """Checks a tree where `path` has that line, among harmless ones."""
    plant(scratch, {path: f"// A comment; with [brackets\n\n{line}\nint x;\n"})
    status, text = check(scratch)
    if outcome == "ok" and status != 0:
        sys.exit(f"'{line}' in {path} is allowed, but the check says:\n{text}")
    if outcome == "caught" and (status == 0 or f"{path}:3:" not in text):
        sys.exit(f"'{line}' in {path} is not caught (status {status}):\n{text}")


def expect_circle(scratch, files, rooms):
    plant(scratch, files)
    status, text = check(scratch)
    if status == 0 or f"{rooms} rooms include each other" not in text:
        sys.exit(f"A circle of {rooms} rooms is not caught (status {status}):\n{text}")


def main():
    scratch = sys.argv[1]
    for outcome, path, line in [
        ("ok", "clocks/a.cpp", '#include "clocks/own.hpp"'),
        ("ok", "clocks/a.cpp", '#include "base/own.hpp"'),
        ("ok", "clocks/a.cpp", "#include <optional>"),
        ("caught", "base/a.cpp", '#include "clocks/own.hpp"'),
        ("caught", "clocks/a.cpp", '#include "replay/own.hpp"'),
        ("caught", "clocks/a.cpp", "#include <unistd.h>"),
        ("caught", "clocks/a.cpp", '  #  include "replay/own.hpp"'),
        ("ok", "replay/a.hpp", "#include <sys/mman.h>"),
        ("caught", "replay/a.hpp", '#include "heuristics/own.hpp"'),
        ("caught", "replay/a.hpp", '#include "transport/memory/own.hpp"'),
        ("caught", "replay/sub/a.cpp", '#include "scheduler/own.hpp"'),
        ("caught", "replay/a.hpp", "#include <mpi.h>"),
        ("caught", "heuristics/a.cpp", '#include "launch/own.hpp"'),
        ("caught", "transport/memory/a.cpp", '#include "transport/requests/own.hpp"'),
        ("ok", "transport/requests/a.cpp", '#include "transport/memory/own.hpp"'),
        ("caught", "transport/a.cpp", '#include "transport/memory/own.hpp"'),
        ("ok", "transport/a.cpp", '#include "base/own.hpp"'),
        ("caught", "launch/program/a.cpp", '#include "launch/own.hpp"'),
        ("ok", "piggyback/rank/a.cpp", "#include <mpi.h>"),
        ("caught", "piggyback/rank/a.cpp", '#include "piggyback/distributed/own.hpp"'),
        ("caught", "piggyback/rank/sub/a.cpp", '#include "piggyback/central/own.hpp"'),
        ("ok", "piggyback/distributed/sub/a.cpp", '#include "piggyback/rank/own.hpp"'),
        ("caught", "piggyback/distributed/a.cpp", '#include "piggyback/central/own.hpp"'),
        ("caught", "piggyback/central/a.cpp", '#include "piggyback/distributed/own.hpp"'),
        ("caught", "piggyback/rank/a.cpp", '#include "scheduler/own.hpp"'),
        ("caught", "piggyback/rank/a.cpp", '#include "heuristics/own.hpp"'),
        ("ok", "scheduler/exploration/a.cpp", '#include "heuristics/own.hpp"'),
        ("caught", "scheduler/exploration/a.cpp", '#include "scheduler/engines/own.hpp"'),
        ("caught", "scheduler/engines/a.cpp", '#include "scheduler/exploration/own.hpp"'),
        ("caught", "scheduler/report/a.cpp", '#include "scheduler/engines/own.hpp"'),
        ("caught", "scheduler/report/a.cpp", '#include "scheduler/cli/own.hpp"'),
        ("caught", "scheduler/engines/a.cpp", '#include "scheduler/cli/own.hpp"'),
        ("caught", "scheduler/a.cpp", '#include "piggyback/rank/own.hpp"'),
        ("caught", "scheduler/a.cpp", '#include "mpi.h"'),
        ("caught", "scheduler/a.cpp", '#include "own.hpp"'),
        ("caught", "scheduler/a.cpp", "#include <replay/own.hpp>"),
        ("caught", "scheduler/a.cpp", '#include "replay/missing.hpp"'),
        ("caught", "scheduler/a.cpp", '#include "tests/own.hpp"'),
        ("caught", "scheduler/a.cpp", "#include HEADER"),
        ("ok", "tests/unit/a_test.cpp", '#include "scheduler/cli/own.hpp"'),
        ("caught", "tests/unit/a_test.cpp", "#include <mpi.h>"),
        ("ok", "tests/unit/piggyback/a_test.cpp", "#include <mpi.h>"),
        ("ok", "tests/programs/x/a.c", "#include <mpi.h>"),
        ("caught", "tests/programs/x/a.c", '#include "clocks/own.hpp"'),
        ("ok", "examples/a.c", "#include <mpi.h>"),
        ("caught", "examples/a.c", '#include "replay/own.hpp"'),
    ]:
        expect(scratch, outcome, path, line)
    # A circle that only exists because a room's header and its source are one.
    expect_circle(scratch, {"clocks/a.hpp": "#pragma once\n", "clocks/a.cpp": '#include "clocks/b.hpp"\n',
                            "clocks/b.hpp": '#pragma once\n#include "clocks/a.hpp"\n'}, 2)
    expect_circle(scratch, {"launch/a.cpp": '#include "launch/b.hpp"\n', "launch/a.hpp": "#pragma once\n",
                            "launch/b.hpp": '#include "launch/c.hpp"\n', "launch/c.hpp": '#include "launch/a.hpp"\n'}, 3)
    shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
