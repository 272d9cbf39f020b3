#!/usr/bin/env python3
"""check_sessions.py --root DIR --tools DIR[:DIR...] --work DIR DOCUMENT

Runs the commands of a document's terminal sessions (sessions.py) in order, in a scratch folder that has a copy of
examples/, and compares what they print with the document, times and paths apart. Fails with a diff where they differ.
What the programs do depends on chance in a few places (which of two messages comes first in a run that is free), and
the examples make one outcome all but certain; so a document counts as wrong when three attempts have differed.
"""
import argparse
import difflib
import os
import shutil
import subprocess
import sys
import tempfile

import sessions

ATTEMPTS = 3
LIMIT = 300  # seconds for one command; only a failure comes to it


def run(text, folder, environment):
    """What a command prints, standard error included, as lines."""
    process = subprocess.Popen(["bash", "-c", text], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
        output += f"\n(ended after {LIMIT} s)".encode()
    return output.decode(errors="replace").split("\n")


def attempt(document, commands, root, work, tools):
    """What differs, as text; empty when nothing does."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        folder = os.path.realpath(folder)
        shutil.copytree(os.path.join(root, "examples"), os.path.join(folder, "examples"))
        environment = dict(os.environ, PATH=tools + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")
        for command in commands:
            printed = sessions.normalised(run(command.text, folder, environment), folder)
            expected = sessions.normalised(command.output)
            if command.compared and not sessions.fits(expected, printed):
                diff = difflib.unified_diff(expected, printed, f"{document}:{command.line}", "what is printed",
                                            lineterm="")
                return f"$ {command.text}\n" + "\n".join(diff)
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("document")
    options = parser.parse_args()
    with open(os.path.join(options.root, options.document), encoding="utf-8") as file:
        try:
            commands = sessions.commands_of(file.read())
        except sessions.Malformed as fault:
            print(f"{options.document}: {fault}")
            return 1
    if not commands:
        print(f"{options.document} has no session to run")
        return 1
    os.makedirs(options.work, exist_ok=True)
    for _ in range(ATTEMPTS):
        difference = attempt(options.document, commands, options.root, options.work, options.tools)
        if not difference:
            compared = sum(command.compared for command in commands)
            print(f"{options.document}: {len(commands)} commands run, the output of {compared} as documented")
            return 0
        print(difference)
    return 1


if __name__ == "__main__":
    sys.exit(main())
