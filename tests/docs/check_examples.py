#!/usr/bin/env python3
"""Builds and runs the examples of the findings' pages (examples/findings), each as it stands and mended: as it stands
dampi-run finds the kind that the file is named after and no other, mended nothing. The first line of each says how it
is run, and what the compiler is told beside the usual.

    check_examples.py --dampi-run PROGRAM --examples DIR --work DIR [--each N] [NAME...]

--each N takes each Nth of them.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys

FIRST_LINE = re.compile(r"/\* dampi-run (?P<options>[^;*]*?)(?:; mpicc\.mpich (?P<flags>.*?))? \*/")


def kind_of(source):
    """rma-race.c is the example of rma/race; exit.c of exit."""
    return source.stem.replace("-", "/", 1)


def found_kinds(dampi_run, source, work, mended):
    """The kinds of findings of all sorts, or a sentence where there is no report."""
    heading = FIRST_LINE.fullmatch(source.read_text().splitlines()[0])
    if heading is None:
        return f"its first line is not {FIRST_LINE.pattern}"
    work.mkdir(parents=True)
    program = work / source.stem
    flags = (heading["flags"] or "").split() + (["-DMENDED"] if mended else [])
    built = subprocess.run(["mpicc.mpich", "-g", *flags, "-o", program, source], capture_output=True, text=True)
    if built.returncode != 0:
        return f"mpicc.mpich: {built.stderr}"
    words = [dampi_run, *heading["options"].split(), "--progress", "none", "-o", work / "out", program]
    run = subprocess.run(words, cwd=work, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    report = work / "out" / "report.json"
    if not report.exists():
        return f"no report: {run.stdout}{run.stderr}"
    content = json.loads(report.read_text())
    return {each["kind"] for sort in ("violations", "doubts", "notes") for each in content[sort]}


def check(arguments, source, mended):
    name = source.stem + (" mended" if mended else "")
    expected = set() if mended else {kind_of(source)}
    found = found_kinds(arguments.dampi_run, source, arguments.work / name.replace(" ", "_"), mended)
    return None if found == expected else f"{name}: expected {sorted(expected)}, found {found}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dampi-run", required=True, type=pathlib.Path)
    parser.add_argument("--examples", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    sources = sorted(arguments.examples.glob("*.c"))
    sources = [source for source in sources if not arguments.names or source.stem in arguments.names][:: arguments.each]
    if not sources:
        sys.exit("no examples")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        checks = [pool.submit(check, arguments, source, mended) for source in sources for mended in (False, True)]
        wrong = [each.result() for each in checks if each.result() is not None]
    for sentence in wrong:
        print(sentence)
    print(f"{len(sources)} examples, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
