#!/usr/bin/env python3
"""check_includes.py ROOT

Fails, naming file and line, when an #include breaks the project's layering:
  - a folder includes only itself and the folders that its row below names,
  - no room (a header with its source) includes one that, by whatever way, includes it,
  - only piggyback includes MPI's header,
  - clocks includes nothing but itself, base and the C++ standard library,
  - examples and the test programs include nothing of ours: they stand for the users' programs,
  - includes of ours are written from the repository's root and name a file that exists (or is generated).
"""
import os
import re
import sys

# Who may include whom: each folder its own files, and those of the folders in its row. A folder without a row belongs to
# the one around it.
ROWS = {
    "base": [],
    "clocks": ["base"],
    "replay": ["base", "clocks"],
    "heuristics": ["base", "clocks", "replay"],
    "transport": ["base", "clocks"],
    "transport/memory": ["base", "clocks", "replay", "transport"],
    "transport/requests": ["base", "clocks", "replay", "transport", "transport/memory"],
    "transport/network": ["base"],
    "launch/program": ["base", "replay"],
    "launch/observe": ["base", "replay"],
    "launch": ["base", "clocks", "replay", "launch/program"],
    "transport/watch": [],
    "piggyback/mpich": [],
    "piggyback/watch": ["transport/watch", "piggyback/interception"],
    "piggyback/interception": ["base"],
    "piggyback/openmp": ["launch/program"],
    "piggyback/openmpi": ["base", "piggyback/interception"],
    "piggyback/openmpi/fortran": ["base", "piggyback/interception", "piggyback/openmpi"],
    "piggyback/rank": ["base", "clocks", "replay", "transport", "transport/memory", "transport/requests", "launch", "launch/program",
                       "piggyback/mpich", "piggyback/interception"],
    "piggyback/distributed": ["base", "clocks", "replay", "transport", "piggyback/interception", "piggyback/rank"],
    "piggyback/central": ["base", "clocks", "replay", "transport", "transport/memory", "transport/requests", "launch/program",
                          "piggyback/interception", "piggyback/rank"],
    # What the user asked for, and other values that all of the scheduler shares.
    "scheduler": ["base", "clocks", "replay", "heuristics", "launch/program"],
    "scheduler/exploration": ["base", "clocks", "replay", "heuristics", "scheduler"],
    "scheduler/judgement": ["base", "clocks", "replay", "transport", "launch", "launch/observe", "launch/program", "scheduler"],
    "scheduler/engines": ["base", "clocks", "replay", "transport", "transport/memory", "launch", "launch/observe",
                          "launch/program", "scheduler", "scheduler/judgement", "scheduler/engines/distributed",
                          "scheduler/engines/central"],
    "scheduler/engines/hosts": ["base", "clocks", "replay", "transport", "transport/memory", "transport/requests",
                                "transport/network", "launch", "launch/observe", "launch/program", "scheduler",
                                "scheduler/judgement", "scheduler/engines"],
    "scheduler/engines/distributed": ["base", "clocks", "replay", "transport", "transport/memory", "launch", "launch/observe",
                                      "launch/program", "scheduler", "scheduler/judgement", "scheduler/engines"],
    "scheduler/engines/central": ["base", "clocks", "replay", "transport", "transport/memory", "transport/requests", "launch",
                                  "launch/observe", "launch/program", "scheduler", "scheduler/judgement",
                                  "scheduler/engines", "scheduler/engines/hosts"],
    "scheduler/sweep": ["base", "clocks", "replay", "heuristics", "launch/program", "scheduler",
                        "scheduler/exploration", "scheduler/engines"],
    "scheduler/order": ["base", "clocks", "replay", "launch/program", "transport/requests", "scheduler"],
    "scheduler/workers": ["base", "clocks", "replay", "heuristics", "transport/network", "launch/program", "scheduler",
                          "scheduler/engines", "scheduler/engines/central"],
    "scheduler/watch": ["base", "replay", "launch/observe", "launch/program", "transport", "transport/network", "transport/watch", "scheduler",
                        "scheduler/judgement", "scheduler/report"],
    "scheduler/scale": ["base", "scheduler/watch"],
    "scheduler/corpus": ["base", "clocks", "replay", "heuristics", "launch/program", "scheduler", "scheduler/sweep"],
    "scheduler/suite": ["base", "replay", "launch/program", "scheduler"],
    "scheduler/report": ["base", "clocks", "replay", "heuristics", "launch/program", "scheduler", "scheduler/sweep"],
    "scheduler/calls": ["base", "clocks", "replay", "scheduler", "scheduler/sweep", "scheduler/report"],
    "scheduler/cli": ["base", "clocks", "replay", "heuristics", "launch", "launch/program", "scheduler",
                      "scheduler/exploration", "scheduler/engines", "scheduler/engines/hosts", "scheduler/judgement",
                      "scheduler/sweep", "scheduler/order", "scheduler/report", "scheduler/calls", "scheduler/corpus", "scheduler/suite", "scheduler/workers", "scheduler/scale",
                      "scheduler/watch",
                      "transport/network", "transport/watch"],
    "scheduler/isp": ["base", "clocks", "replay", "heuristics", "launch", "launch/program", "scheduler",
                      "scheduler/exploration", "scheduler/engines", "scheduler/engines/central", "scheduler/sweep",
                      "scheduler/report", "scheduler/cli"],
}
TOP = sorted({folder.split("/")[0] for folder in ROWS})
SOURCES = (".hpp", ".cpp", ".h", ".c", ".def", ".in")

# Headers that the build generates.
GENERATED = {
    "piggyback/interception/calls.hpp",
    "piggyback/interception/central_calls.hpp",
    "scheduler/engines/central/refused_functions.inc",
    "scheduler/watch/functions.inc",
    "piggyback/openmpi/functions.hpp",
    "piggyback/openmpi/next.hpp",
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\b[ \t]*(?:([<"])([^>"]+)[>"])?')
MPI_HEADER = re.compile(r"(^|/)(mpi|mpio|mpi_proto|mpicxx|pmpi)\.h$")


def folder_of(path):
    """The folder that has the row for this file; None for one that has none."""
    folder = os.path.dirname(path)
    while folder and folder not in ROWS:
        folder = os.path.dirname(folder)
    return folder or None


def stands_for_a_user(path):
    return path.startswith("examples/") or re.match(r"tests/(.*/)?programs/", path) is not None


def files_below(root):
    for top in [*TOP, "tests", "examples"]:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def includes_of(root, path):
    """(line number, quote, header) of each; without quote and header for one that is computed."""
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1), found.group(2)


def fault(root, path, quote, header):
    """What is wrong with this include; None for nothing."""
    if header is None:
        return "an include that is computed cannot be checked"
    ours = header.split("/")[0] in [*TOP, "tests", "examples"] and "/" in header
    if stands_for_a_user(path):
        return f"a user's program must not include {header}" if ours else None
    top = path.split("/")[0]
    # Of tests/openmpi that of Open MPI.
    if MPI_HEADER.search(header) and not path.startswith(("piggyback/", "tests/unit/piggyback/", "tests/openmpi/")):
        return f"only piggyback and its tests may include {header}"
    if not ours:
        if quote == '"':
            return f"{header} is not written from the repository's root"
        if top == "clocks" and not re.fullmatch(r"[a-z_]+", header):
            return f"clocks may include only the C++ standard library, not {header}"
        return None
    if quote == "<":
        return f"{header} is ours: include it in quotes"
    if header not in GENERATED and not os.path.exists(os.path.join(root, header)):
        return f"there is no {header}"
    if top == "tests":
        return None if not header.startswith("examples/") else f"tests must not include {header}"
    own, other = folder_of(path), folder_of(header)
    if own is None:
        return f"no row says what may be included in {os.path.dirname(path)}"
    if own != other and other not in ROWS[own]:
        return f"{own} must not include {header}"
    return None


def circles(graph):
    """Sets of more than one room each of which reaches all others (Tarjan 1972, without recursion)."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for start in sorted(graph):
        if start in index:
            continue
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            room, rest = work[-1]
            for other in rest:
                if other not in graph:
                    continue
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_stack:
                    low[room] = min(low[room], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[room])
                if low[room] == index[room]:
                    members = stack[stack.index(room):]
                    del stack[stack.index(room):]
                    on_stack.difference_update(members)
                    if len(members) > 1:
                        found.append(sorted(members))
    return found


def main():
    root = sys.argv[1]
    wrong, graph, first_line, checked = [], {}, {}, 0
    for path in files_below(root):
        checked += 1
        room = os.path.splitext(path)[0]
        in_product = path.split("/")[0] in TOP
        if in_product:
            graph.setdefault(room, set())
        for number, quote, header in includes_of(root, path):
            sentence = fault(root, path, quote, header)
            if sentence:
                wrong.append(f"{path}:{number}: {sentence}")
            elif in_product and quote == '"' and header not in GENERATED:
                other = os.path.splitext(header)[0]
                if other != room:
                    graph[room].add(other)
                    first_line.setdefault((room, other), f"{path}:{number}")
    for members in circles(graph):
        wrong.append(f"{len(members)} rooms include each other in a circle:")
        for room in members:
            wrong += [f"  {first_line[room, other]}: {room} includes {other}" for other in sorted(graph[room])
                      if other in members]
    if checked == 0:
        sys.exit(f"There are no sources under {root}")
    if wrong:
        sys.exit("The layering is broken:\n  " + "\n  ".join(wrong))
    print(f"{checked} files keep the layering; {len(graph)} rooms without a circle")


if __name__ == "__main__":
    main()
