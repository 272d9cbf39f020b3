"""Compares the findings of a sweep with what the lines of a program say.

    check_findings.py REPORT SOURCE central|distributed [violations|notes]

A line that ends in "//! KIND POSITION NAME" has a call whose argument of that position and name is wrong: there is a
finding of that kind, or of one of several kinds that "|" separates, which says so. No other line has a finding about
arguments, and the rank has not crashed. With "notes" it is the notes that are compared.
"""
import json
import re
import sys

MARK = re.compile(r"//! (\S+) (\d+) (\w+)$")


def main():
    report, source, engine = sys.argv[1:4]
    sort = sys.argv[4] if len(sys.argv) > 4 else "violations"
    found = {}
    with open(report, encoding="utf-8") as file:
        for violation in json.load(file)[sort]:
            places = violation["situations"]
            line = places[0]["where"]["line"] if places else None
            found.setdefault(line, []).append((violation["kind"], violation["message"]))
    failed = 0
    expected = 0
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            mark = MARK.search(line.rstrip())
            if mark is None or (engine == "central" and "NOT_CENTRAL" in line):
                continue
            expected += 1
            kinds, position, name = mark.groups()
            said = found.pop(number, [])
            words = f"(argument {position}, {name}"
            if not any(kind in kinds.split("|") and words in message for kind, message in said):
                print(f"line {number}: no {kinds} about argument {position}, {name}, but {said}")
                failed += 1
    for line, said in found.items():
        for kind, message in said:
            if sort == "notes" or kind.startswith("argument/") or kind in ("crash", "abort", "hang", "deadlock"):
                print(f"line {line}: {kind}, which nobody expects: {message}")
                failed += 1
    print(f"{expected} wrong arguments, {failed} failures")
    return 1 if failed or expected < (40 if sort == "notes" else 100) else 0


if __name__ == "__main__":
    sys.exit(main())
