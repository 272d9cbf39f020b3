#!/usr/bin/env python3
"""lint_together.py --clang-tidy TIDY --rules FILE --build BUILD --work DIR [--checks CHECKS] SOURCE...

Lints several sources as one, which takes hardly longer than one alone: nearly all of the time goes to the headers, which
they share. Sources that are compiled alike go together as far as the compiler takes them so; those that have the same name
for something do not. Prints those of which it cannot say that nothing is wrong with them, one in each line: these are to
be linted by themselves, which tells what it is."""
import argparse
import concurrent.futures
import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys

MOST_TOGETHER = 8
OWN = r"/(base|clocks|transport|replay|heuristics|launch|piggyback|scheduler|tests)/.*\.[ch]pp$"
# It is what is done here.
NOT_FOR_SEVERAL = "-bugprone-suspicious-include"


def options_of(entry):
    """What the source is compiled with, without what is about the output and about precompiled headers."""
    words = shlex.split(entry["command"])
    options, skip = [], 0
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    for i, word in enumerate(words[first:], first):
        if skip > 0:
            skip -= 1
        elif word in ("-o", "-MF", "-MT"):
            skip = 1
        elif word == "-include" and "cmake_pch" in words[i + 1]:
            skip = 1
        elif word not in ("-c", "-MD", "-Winvalid-pch", entry["file"]) and not word.startswith("-Wno-error="):
            options.append(word)
    return tuple(options)


class Linter:
    def __init__(self, arguments):
        self.tidy = arguments.clang_tidy
        self.rules = arguments.rules
        self.build = arguments.build
        self.work = arguments.work
        self.checks = ",".join(filter(None, [arguments.checks, NOT_FOR_SEVERAL]))
        # Its messages are nothing to those who do not ask for them.
        self.compiler = shutil.which("clang++-14") or shutil.which("clang++")
        self.numbers = itertools.count(1)

    def unit(self, sources):
        file = os.path.join(self.work, f"{next(self.numbers)}.cpp")
        with open(file, "w", encoding="utf-8") as out:
            out.writelines(f'#include "{source}"\n' for source in sources)
        return file

    def run(self, command):
        return subprocess.run(command, cwd=self.build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0

    def unclear(self, sources, options):
        """Those of the sources of which nothing is known."""
        if len(sources) == 1:
            return sources
        file = self.unit(sources)
        if not self.run([self.compiler, "-fsyntax-only", "-w", *options, file]):
            half = len(sources) // 2
            return self.unclear(sources[:half], options) + self.unclear(sources[half:], options)
        passed = self.run([self.tidy, "--quiet", f"--config-file={self.rules}", "--warnings-as-errors=*", f"--checks={self.checks}",
                           f"--header-filter={OWN}", "--extra-arg=-Wno-ignored-optimization-argument", file, "--", *options])
        return [] if passed else sources


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--checks", default="")
    parser.add_argument("sources", nargs="+")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    os.makedirs(arguments.work)
    with open(os.path.join(arguments.build, "compile_commands.json"), encoding="utf-8") as file:
        entries = {entry["file"]: entry for entry in json.load(file)}
    linter = Linter(arguments)
    alike, unclear = {}, []
    for source in sorted(arguments.sources):
        if source in entries and linter.compiler is not None:
            alike.setdefault(options_of(entries[source]), []).append(source)
        else:
            unclear.append(source)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        parts = [pool.submit(linter.unclear, sources[i:i + MOST_TOGETHER], options)
                 for options, sources in alike.items() for i in range(0, len(sources), MOST_TOGETHER)]
        for part in parts:
            unclear += part.result()
    print(*sorted(unclear), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
