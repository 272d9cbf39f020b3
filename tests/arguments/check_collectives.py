"""Runs uneven_collectives once with two ranks: the findings are those that the lines of the program say, or none.

    check_collectives.py DAMPI_RUN ENGINE PROGRAM SOURCE

A line that ends in "//! KIND" has one finding of this kind, and both ranks are there. There are no others.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

MARK = re.compile(r"//! (\S+)$")


def main():
    dampi_run, engine, program, source = sys.argv[1:]
    expected = {}
    if "uneven" in os.path.basename(program):
        with open(source, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if mark := MARK.search(line.rstrip()):
                    expected[number] = mark.group(1)
        assert len(expected) > 10
    found = {}
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        command = [dampi_run, "--engine", engine, "-n", "2", "--max-interleavings", "1", "--buffering", "native"]
        run = subprocess.run(command + ["-o", "sweep", program], cwd=directory, capture_output=True, text=True, check=False)
        with open(os.path.join(directory, "sweep", "report.json"), encoding="utf-8") as file:
            for violation in json.load(file)["violations"]:
                lines = {each["where"]["line"] for each in violation["situations"]}
                line = min(lines)
                if len(lines) != 1 or len(violation["situations"]) != 2 or line in found:
                    print(f"lines {sorted(lines)}: another finding than expected: {violation['message']}")
                    failed += 1
                found[line] = violation["kind"]
    for line in sorted(set(expected) | set(found)):
        if expected.get(line) != found.get(line):
            print(f"line {line}: {found.get(line)} instead of {expected.get(line)}")
            failed += 1
    if run.returncode != (1 if expected else 0):
        print(f"dampi-run ended with {run.returncode}:", run.stdout[-2000:], run.stderr[-2000:])
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
