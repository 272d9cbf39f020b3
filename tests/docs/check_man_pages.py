#!/usr/bin/env python3
"""check_man_pages.py DOCS COMMAND...

The man pages of commands that have no table of options name those that --help names, and no others.
"""
import os
import re
import subprocess
import sys

OPTION = r"(--?[a-z][\w-]*)"
failures = []
for command in sys.argv[2:]:
    name = os.path.basename(command)
    help_text = subprocess.run([command, "--help"], capture_output=True, text=True, timeout=60).stdout
    # Of a compiler command what it says itself, without what the compiler has to say.
    own = help_text.split("\nDAMPI_CC,")[0]
    told = {option for line in re.findall(rf"^  +{OPTION}([^\n]*)", own, re.M)
            for option in [line[0], *re.findall(rf"^,{OPTION}", line[1])]}
    with open(os.path.join(sys.argv[1], name + ".1"), encoding="utf-8") as file:
        page = file.read().replace("\\-", "-")
    titles = re.findall(r"^\.TP\n(.*)", page, re.M)
    named = {option for title in titles for option in re.findall(rf"(?:^|, )(?:\\f[BR])*{OPTION}", title)}
    if not told or told != named:
        failures.append(f"{name}: --help alone names {sorted(told - named)}, the page alone {sorted(named - told)}")
print("\n".join(failures))
sys.exit(1 if failures else 0)
