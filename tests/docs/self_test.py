#!/usr/bin/env python3
"""self_test.py WORK

The checks of the documents catch what they are for, and nothing else.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FAILURES = []


def check(name, good):
    if not good:
        FAILURES.append(name)


def project(folder, document):
    for each in ("examples", "clocks"):
        os.makedirs(os.path.join(folder, each))
    with open(os.path.join(folder, "clocks", "marks.hpp"), "w", encoding="utf-8") as file:
        file.write("\n")
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as file:
        file.write(document)


def status(script, document, *arguments, work):
    with tempfile.TemporaryDirectory(dir=work) as folder:
        project(folder, document)
        command = [sys.executable, os.path.join(HERE, script)]
        if script == "check_sessions.py":
            command += ["--root", folder, "--tools", "/nonexistent", "--work", os.path.join(folder, "work"), "README.md"]
        else:
            command += [folder]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def main():
    work = sys.argv[1]
    os.makedirs(work, exist_ok=True)

    def sessions(document):
        return status("check_sessions.py", document, work=work)

    def paths(document):
        return status("check_paths.py", document, work=work)

    block = "```console\n{}\n```\n"
    check("what is as documented passes", sessions(block.format("$ echo one\none\n$ echo two\ntwo")) == 0)
    check("another word fails", sessions(block.format("$ echo one\ntwo")) == 1)
    check("a missing line fails", sessions(block.format("$ printf 'a\\nb\\n'\na")) == 1)
    check("an additional line fails", sessions(block.format("$ echo a\na\nb")) == 1)
    check("no output where there is some fails", sessions(block.format("$ echo a")) == 1)
    check("an unknown command fails", sessions(block.format("$ no-such-command")) == 1)
    check("a time may differ", sessions(block.format("$ echo done in 3.25 s\ndone in 1 s")) == 0)
    check("where there is output of ranks may differ",
          sessions(block.format("$ printf \"a\\n  the program's output: out/000001.err\\nb\\n\"\na\nb")) == 0)
    check("another number fails", sessions(block.format("$ echo done in 3 runs\ndone in 1 runs")) == 1)
    check("the folder has a documented name", sessions(block.format("$ pwd\n/home/you/dampi")) == 0)
    check("lines may be left out", sessions(block.format("$ printf 'a\\nb\\nc\\n'\na\n...\nc")) == 0)
    check("what stands around them counts", sessions(block.format("$ printf 'a\\nb\\nc\\n'\na\n...\nd")) == 1)
    check("commands follow each other", sessions(block.format("$ echo a > f") + block.format("$ cat f\na")) == 0)
    reason = "<!-- output not compared: it is chance -->\n"
    check("output that is not compared", sessions(reason + block.format("$ echo a\nb")) == 0)
    check("that holds for one block", sessions(reason + block.format("$ echo a\nb") + block.format("$ echo a\nb")) == 1)
    check("a reason is needed", sessions("<!-- output not compared: -->\n" + block.format("$ echo a\nb")) == 1)
    check("an indented session fails", sessions(block.format("$ echo a\na") + "\n    $ echo b\n    b\n") == 1)
    check("a session in another block fails", sessions(block.format("$ echo a\na") + "```\n$ echo b\n```\n") == 1)
    check("a document without sessions fails", sessions("Nothing.\n") == 1)

    check("a file that exists", paths("`clocks/marks.hpp`, `clocks/marks`, `clocks/`, `marks.hpp`\n") == 0)
    check("one that does not", paths("`clocks/gone.hpp`\n") == 1)
    check("a folder that does not", paths("`clocks/gone`\n") == 1)
    check("a name alone that does not", paths("`gone.hpp`\n") == 1)
    check("an old folder's file", paths("`elsewhere/gone.hpp`\n") == 1)
    check("what is no path of ours", paths("`leak/request`, `a + b`, `--option`, `dampi-out/report.json`\n") == 0)
    check("a link", paths("# The top\n[a](#the-top) [b](clocks/marks.hpp)\n") == 0)
    check("a link that leads nowhere", paths("[a](clocks/gone.md)\n") == 1)
    check("a link to no heading", paths("# The top\n[a](#the-bottom)\n") == 1)

    for name in FAILURES:
        print(f"failed: {name}")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
