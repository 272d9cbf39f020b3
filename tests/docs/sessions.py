"""Terminal sessions in Markdown: the blocks that begin with ```console.

A line that begins with "$ " is a command, what follows up to the next one is its output. In the output a line "..."
stands for any lines. Before a block may stand

    <!-- output not compared: the reason -->

then its commands are executed like the others, but what they print is not looked at.
"""
import re
from dataclasses import dataclass, field

NOT_COMPARED = re.compile(r"<!-- output not compared: *(.*?) *-->")


@dataclass
class Command:
    line: int
    text: str
    compared: bool
    output: list = field(default_factory=list)


class Malformed(Exception):
    """The document cannot be read: the sentence says where and why."""


def commands_of(text):
    """The commands of a document, in order."""
    commands = []
    fence = None  # the language of the block we are in
    reason = None
    for number, line in enumerate(text.split("\n"), 1):
        if fence is None:
            if line.startswith("```"):
                fence = line[3:].strip() or "text"
                first = True
                continue
            found = NOT_COMPARED.fullmatch(line)
            if found and not found.group(1):
                raise Malformed(f"line {number}: no reason is given why the output is not compared")
            if found:
                reason = found.group(1)
            elif line.strip():
                reason = None
            if line.startswith("    $ "):
                raise Malformed(f"line {number}: a session that is indented is not run; put it into ```console")
        elif line.startswith("```"):
            fence = reason = None
        elif fence == "console":
            if line.startswith("$ "):
                commands.append(Command(number, line[2:], reason is None))
            elif first:
                raise Malformed(f"line {number}: a session begins with a command, after '$ '")
            else:
                commands[-1].output.append(line)
            first = False
        elif line.startswith("$ "):
            raise Malformed(f"line {number}: a session is not run unless its block begins with ```console")
    if fence is not None:
        raise Malformed("the last block has no end")
    return commands


TIMES = [
    (re.compile(r"\bin \d+(\.\d+)? s\b"), "in TIME s"),
    (re.compile(r"\b(after|for) \d+(\.\d+)? s\b"), r"\1 TIME s"),
    (re.compile(r"\b\d+ suspicious samples\b"), "NUMBER suspicious samples"),
    (re.compile(r"\b\d+(\.\d+)?/s\b"), "RATE/s"),
    (re.compile(r"\bpid \d+\b"), "pid NUMBER"),
]


# Whether ranks that are ended have printed something by then is chance.
OUTPUT = "  the program's output: "


def normalised(lines, folder=None):
    """The lines without what differs from run to run; the folder in which they were printed gets its documented name."""
    result = []
    for line in lines:
        if line.startswith(OUTPUT):
            continue
        if folder:
            line = line.replace(folder, "/home/you/dampi")
        for pattern, word in TIMES:
            line = pattern.sub(word, line)
        result.append(line.rstrip())
    while result and not result[-1]:
        result.pop()
    while result and not result[0]:
        result.pop(0)
    return result


def fits(expected, printed):
    """Whether what was printed is what is expected, in which "..." stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None
