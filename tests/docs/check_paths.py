#!/usr/bin/env python3
"""check_paths.py ROOT

Fails, naming document and line, when a document of the project names in backticks a file or folder of the project that
does not exist, or when a link leads to a file or a heading that does not exist.

What looks like a path: words joined by slashes whose first is a folder of the project, and names that end like our
sources. A source may be named without its ending (`clocks/marks` for the header and what belongs to it), and a source
by its name alone where that is the name of one of ours.
"""
import os
import re
import sys

SOURCE_ENDINGS = (".hpp", ".cpp", ".h", ".c", ".def", ".py", ".cmake", ".f90")
SKIPPED = {"build", ".git"}
# Documents that speak of another project's files.
FOREIGN = {"piggyback/mpich/README.md"}
# Names of the users' files that the documents speak of.
NOT_OURS = {"queue.c", "partial.c", "solver.py", "prog.py", "mpi.h", "mpif.h", "your_program.c", "ring.c", "setup.py"}
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)*/?")


def files_below(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [each for each in folders if each not in SKIPPED]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def anchors_of(path):
    """The names under which a document's headings can be linked to."""
    with open(path, encoding="utf-8") as file:
        headings = re.findall(r"^#+ +(.*)$", file.read(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def exists(root, path):
    return any(os.path.exists(os.path.join(root, path + ending)) for ending in ("", *SOURCE_ENDINGS))


def is_missing(root, own_folders, names, document, word):
    """Whether the word names something of the project that does not exist."""
    if not PATH.fullmatch(word) or word in NOT_OURS:
        return False
    if "/" not in word:
        return word.endswith(SOURCE_ENDINGS) and word not in names
    if word.split("/")[0] not in own_folders and not word.endswith(SOURCE_ENDINGS):
        return False
    return not exists(root, word) and not exists(root, os.path.join(os.path.dirname(document), word))


def faults_of(root, own_folders, names, document):
    path = os.path.join(root, document)
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    in_block = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            in_block = not in_block
        if in_block:
            continue
        for word in CODE.findall(line):
            if is_missing(root, own_folders, names, document, word):
                yield number, f"`{word}` does not exist"
        for target in LINK.findall(CODE.sub("", line)):
            if re.match(r"[a-z]+:", target):
                continue
            file_name, _, anchor = target.partition("#")
            linked = os.path.normpath(os.path.join(os.path.dirname(path), file_name)) if file_name else path
            if not os.path.exists(linked):
                yield number, f"the link to {target} leads nowhere"
            elif anchor and anchor not in anchors_of(linked):
                yield number, f"there is no heading for the link to {target}"


def main():
    root = os.path.abspath(sys.argv[1])
    files = list(files_below(root))
    own_folders = {file.split("/")[0] for file in files if "/" in file}
    names = {os.path.basename(file) for file in files}
    documents = sorted(file for file in files if file.endswith(".md") and file not in FOREIGN)
    if not documents:
        print(f"no documents in {root}")
        return 1
    faults = [f"{document}:{number}: {what}"
              for document in documents for number, what in faults_of(root, own_folders, names, document)]
    print("\n".join(faults) if faults else f"{len(documents)} documents: all paths and links exist")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
