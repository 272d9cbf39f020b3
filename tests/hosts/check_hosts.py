#!/usr/bin/env python3
"""check_hosts.py DAMPI_RUN WORK CASE PROGRAM...

A sweep whose ranks are on several "hosts" ends like one on one machine: same verdict, outcomes, findings and counts. The
hosts are all this machine (DAMPI_SSH starts dampi-node here), each with memory of its own; tests/hosts/hosts_test.sh has
others. CASE:

  same      each PROGRAM, whose DAMPI-TEST header (its source, PROGRAM=SOURCE) says with how many processes and options,
            over two or three hosts, or with this machine as one of two, in turns; with ALL_HOSTS=1 over each of these.
            PROGRAM may be all that are built: FOLDER=SOURCES[:SOURCES...]
  delays    likewise, where all that passes between hosts is late by up to 50 ms (the first PROGRAM: delays.so)
  stops     likewise, while dampi-nodes, dampi-run and ranks are stopped for a while, again and again
  kills     dampi-nodes, ranks and dampi-run are killed (KILLS of them, by default 6)
  refused   what cannot be had is refused in one sentence
  placed    ranks are where they belong, and much data gets there (PROGRAM: per_host)
Nothing is left behind: no process, no file of a node.
"""
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "harness"))
sys.dont_write_bytecode = True  # the sources stay as they are
from sweeps import check, differences, empty_folder, failures, report_of  # noqa: E402

DAMPI_RUN, WORK, CASE = sys.argv[1:4]
PROGRAMS = sys.argv[4:]
NODE = os.path.join(os.path.dirname(DAMPI_RUN), "dampi-node")
LONG = 300  # seconds; only a failure comes to it
os.makedirs(WORK, exist_ok=True)
os.environ["TMPDIR"] = tempfile.mkdtemp(dir=WORK)
os.environ["DAMPI_SSH"] = os.path.join(os.path.dirname(os.path.realpath(__file__)), "here.sh")
MARK = f"dampi-hosts-test-{os.getpid()}"
os.environ["DAMPI_HOSTS_TEST"] = MARK  # the processes of this test are known by it


def folder(name):
    return empty_folder(os.path.join(WORK, name))


def settings_of(source):
    """(processes, options, arguments) of a test program, as its header says; nothing if a sweep of it says little here."""
    with open(source, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found = re.search(r"DAMPI-TEST(.*?)(\*/|\n(?!\s*(//|\*|!|#)))", text, re.S)
    fields = {}
    for line in (found.group(1) if found else "").splitlines():
        field = re.match(r"[\s*/!#]*([a-z-]+): *(.*?)\s*$", line)
        if field:
            fields.setdefault(field.group(1), []).append(field.group(2))
    if "np" not in fields:
        return None
    options = [word for text in fields.get("options", []) for word in shlex.split(text)]
    arguments = [word for text in fields.get("args", []) + fields.get("arguments", []) for word in shlex.split(text)]
    return fields["np"][0].split()[0], options, arguments, fields


def differences_over_hosts(expected, report):
    # Which ones come first, before a budget is used up, and what happens where the tool says that it cannot bring
    # everything about, is a matter of chance.
    keys = None if expected["complete"] else ("verdict", "explored", "doubts")
    return differences(of_kinds(expected), of_kinds(report), keys)


def of_kinds(report):
    """With findings without words: which of two ranks that contradict each other comes first is a matter of chance."""
    return report | {"violations": [{"kind": each["kind"], "message": ""} for each in report["violations"]]}


def run(out, processes, options, program, arguments, directory=None):
    done = subprocess.run([DAMPI_RUN, "-n", str(processes), *options, "-o", out, program, *arguments], cwd=directory,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=LONG, check=False)
    return done


def spread(processes, hosts):
    """As many hosts as there are ranks, at most; the first ones have more."""
    hosts = hosts[:processes]
    counts = [processes // len(hosts) + (1 if i < processes % len(hosts) else 0) for i in range(len(hosts))]
    return ",".join(f"{host}:{count}" for host, count in zip(hosts, counts))


def all_programs():
    """(program, source) of each."""
    for pair in PROGRAMS:
        place, source = pair.split("=", 1)
        if not os.path.isdir(place):
            yield place, source
            continue
        for folder_path, _, names in sorted(os.walk(place)):
            for name in sorted(names):
                program = os.path.join(folder_path, name)
                part = os.path.relpath(program, place)
                for sources in source.split(":"):
                    found = [os.path.join(sources, part + ending) for ending in (".c", ".cpp", ".f90")
                             if os.path.exists(os.path.join(sources, part + ending))]
                    if found and os.access(program, os.X_OK):
                        yield program, found[0]
                        break


def same():
    compared, refused_ones, left_out = 0, 0, []
    names = [["b", "c"], ["b", "localhost"], ["b", "c", "d"]]
    for program, source in all_programs():
        settings = settings_of(source)
        if settings is None:
            continue
        processes, options, arguments, fields = settings
        name = os.path.basename(program)
        unfit = [word for word in ("--engine", "--launcher", "--workers", "--replay", "--fresh-dir", "--show-output")
                 if word in options]
        if unfit or not processes.isdigit() or int(processes) < 2:
            left_out.append(name)
            continue
        base = ["--engine", "central", "--merge-states", "never", *options]
        out = folder("alone")
        alone = run(out, processes, base, program, arguments)
        if "the centralized engine" in alone.stderr and alone.returncode == 2:
            refused_ones += 1
            continue
        if alone.returncode not in (0, 1, 3):
            left_out.append(f"{name} ({alone.stderr.strip()[-160:]})")
            continue
        expected = report_of(out)
        for hosts in names if os.environ.get("ALL_HOSTS") else names[compared % 3:compared % 3 + 1]:
            out = folder("spread")
            done = run(out, processes, [*base, "--hosts", spread(int(processes), hosts)], program, arguments)
            if done.returncode == 2 and "is larger than a message between hosts can be" in done.stderr:
                left_out.append(f"{name} (it sends more than a gibibyte at once)")
                continue
            if done.returncode != alone.returncode:
                check(False, f"{name} over {hosts}: exit status {done.returncode} instead of {alone.returncode}: "
                             f"{done.stdout[-600:]} {done.stderr[-600:]}")
                continue
            wrong = differences_over_hosts(expected, report_of(out))
            if wrong:
                again = folder("again")
                run(again, processes, base, program, arguments)
                if differences_over_hosts(expected, report_of(again)):
                    left_out.append(f"{name} (its sweeps differ on one machine as well)")
                    continue
            check(not wrong, f"{name} over {hosts}: " + "; ".join(wrong))
        compared += 1
    print(f"{compared} programs compared; {refused_ones} that the centralized engine does not model; left out: "
          f"{', '.join(left_out) or 'none'}")
    check(compared > 0, "no program was compared")


def of_this_test(name):
    """Process numbers of this test's processes with this name."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            with open(f"/proc/{entry}/comm", encoding="utf-8", errors="replace") as file:
                comm = file.read().strip()
            with open(f"/proc/{entry}/environ", "rb") as file:
                environment = file.read()
        except OSError:
            continue
        if (name is None or comm == name) and MARK.encode() in environment:
            found.append(int(entry))
    return found


def check_nothing_left(what, with_files=True):
    """What a node that was killed has left of its files, the next one there removes: without `with_files`."""
    for _ in range(200):  # what is on its way out
        left = of_this_test(None)
        files = os.listdir(os.environ["TMPDIR"]) if with_files else []
        if not left and not files:
            return
        time.sleep(0.05)
    check(False, f"{what}: left behind: {left} {files}")


def stop_now_and_then(name, over, dice, counts):
    """Until `over`. `name`: of the ranks."""
    while not over.is_set():
        over.wait(dice.uniform(0.01, 0.1))
        victims = of_this_test(dice.choice(["dampi-node", "dampi-run", name, name, name]))
        if victims:
            stopped = dice.sample(victims, dice.randint(1, len(victims)))
            for process in stopped:
                send_signal(process, signal.SIGSTOP)
            over.wait(dice.uniform(0.01, 0.9))
            for process in stopped:
                send_signal(process, signal.SIGCONT)
            counts.append(len(stopped))


def send_signal(process, which):
    try:
        os.kill(process, which)
    except ProcessLookupError:
        pass


def stops():
    dice = random.Random(int(os.environ.get("SEED", "28")))
    counts = []
    sweeps = 0
    programs = list(all_programs())
    end = time.time() + float(os.environ.get("SECONDS", "20"))
    while sweeps < len(programs) or time.time() < end and not failures:
        program, source = programs[sweeps % len(programs)]
        processes, options, arguments, _ = settings_of(source)
        base = ["--engine", "central", "--merge-states", "never", "--max-interleavings", "12", *options]
        out = folder("alone")
        run(out, processes, base, program, arguments)
        expected = report_of(out)
        over = threading.Event()
        stopping = threading.Thread(target=stop_now_and_then, args=(os.path.basename(program)[:15], over, dice, counts))
        stopping.start()
        out = folder("stopped")
        try:
            done = run(out, processes, [*base, "--hosts", spread(int(processes), dice.choice([["b", "c"], ["b", "localhost"]]))],
                       program, arguments)
        finally:
            over.set()
            stopping.join()
        name = os.path.basename(program)
        if done.returncode not in (0, 1, 3):
            check(False, f"{name}: exit status {done.returncode}: {done.stdout[-600:]} {done.stderr[-600:]}")
        else:
            wrong = differences_over_hosts(expected, report_of(out))
            check(not wrong, f"{name}: " + "; ".join(wrong))
        sweeps += 1
    print(f"{sweeps} sweeps, in which {sum(counts)} processes were stopped")
    check(counts, "nothing was stopped")


def delays():
    os.environ["DAMPI_TEST_PRELOAD"] = PROGRAMS.pop(0)
    same()


def kills():
    program = PROGRAMS[0].split("=", 1)[0]
    comm = os.path.basename(program)[:15]
    arguments = ["4"]
    wanted = int(os.environ.get("KILLS", "6"))
    dice = random.Random(int(os.environ.get("SEED", "28")))
    base = ["--engine", "central", "--merge-states", "never", "--buffering", "zero"]
    out = folder("alone")
    run(out, 4, base, program, arguments)
    expected = report_of(out)
    killed = 0
    counts = {"dampi-node": 0, "dampi-run": 0}
    while killed < wanted and not failures:
        out = folder("killed")
        hosts = dice.choice(["b:2,c:2", "b:1,localhost:2,c:1"])
        command = [DAMPI_RUN, "-n", "4", *base, "--hosts", hosts, "-o", out, program, *arguments]
        while True:
            running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True)
            again = False
            patience = time.time() + LONG
            while running.poll() is None and time.time() < patience:
                time.sleep(dice.uniform(0.1, 0.6))
                name = dice.choice(["dampi-node", "dampi-node", "dampi-run"])
                victims = of_this_test(name)
                if killed >= wanted or not victims:
                    continue
                if name == "dampi-run":
                    journal = os.path.join(out, "journal")
                    if not os.path.exists(journal) or os.path.getsize(journal) == 0:
                        continue
                    running.kill()
                    again = True
                else:
                    try:
                        os.kill(dice.choice(victims), signal.SIGKILL)
                    except ProcessLookupError:
                        continue  # it has just ended
                counts[name] += 1
                killed += 1
                if again:
                    break
            said = running.communicate()[0]
            if not again:
                break
            check_nothing_left("dampi-run killed", False) if dice.random() < 0.5 else None
            command = [DAMPI_RUN, "--resume", out]
        if running.returncode == 2 and "times in a row" in said:
            continue
        check(running.returncode == 0, f"kills: exit status {running.returncode}: {said[-1500:]}")
        if running.returncode == 0:
            wrong = differences_over_hosts(expected, report_of(out))
            check(not wrong, "kills: " + "; ".join(wrong))
        check_nothing_left("kills", False)
    print(f"killed: {counts}")
    # A rank that is killed is the program's own end, on whatever host it is.
    out = folder("rank")
    running = subprocess.Popen([DAMPI_RUN, "-n", "4", *base, "--hosts", "b:2,c:2", "-o", out, "--stop-on-first", program,
                                *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while running.poll() is None:
        victims = of_this_test(comm)
        if victims:
            try:
                os.kill(dice.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    said = running.communicate()[0]
    check(running.returncode in (0, 1, 3), f"a rank killed: exit status {running.returncode}: {said[-1500:]}")
    kinds = {each["kind"] for each in report_of(out)["violations"]}
    check(kinds <= {"crash"}, f"a rank killed: {kinds}")
    check_nothing_left("a rank killed")


def refused():
    program = PROGRAMS[0].split("=", 1)[0]
    windows = PROGRAMS[1].split("=", 1)[0]

    def expect(text, *options, command=program, processes=4, **more):
        out = folder("refused")
        done = subprocess.run([DAMPI_RUN, "-n", str(processes), *options, "-o", out, command, "3"], capture_output=True, text=True,
                              timeout=LONG, check=False, **{"stdin": subprocess.DEVNULL, **more})
        lines = done.stderr.strip().splitlines()
        check(done.returncode == 2 and text in done.stderr and len(lines) <= (2 if more.get("env") else 1),
              f"{options}: exit status {done.returncode}, not '{text}' in: {done.stderr} {done.stdout[-300:]}")

    hosts = ("--hosts", "b:2,c:2")
    expect("by the centralized engine, not by --engine distributed", *hosts, "--engine", "distributed")
    expect("which cannot run", *hosts, command=windows)
    expect("run by that engine alone, so give --hosts none", *hosts, command=PROGRAMS[2].split("=", 1)[0])
    expect("--hosts and --workers exclude each other", *hosts, "--workers", "2")
    expect("--hosts and --launcher exclude each other", *hosts, "--launcher", "mpiexec")
    expect("--hosts and --show-output exclude each other", *hosts, "--show-output")
    expect("--hosts and --fresh-dir exclude each other", *hosts, "--fresh-dir")
    expect("--hosts and --snapshots always exclude each other", *hosts, "--snapshots", "always")
    expect("--hosts and --merge-states always exclude each other", *hosts, "--merge-states", "always")
    expect("the options --hosts and --hostfile exclude each other", *hosts, "--hostfile", "/nowhere")
    expect("cannot be read from /nowhere", "--hostfile", "/nowhere")
    expect("needs HOST or HOST:N", "--hosts", "b:0")
    expect("room for 3 of 4 ranks", "--hosts", "b:2,c")
    expect("host b stands twice", "--hosts", "b:2,b:2")
    with open(__file__, encoding="utf-8") as file:
        expect("a file on standard input does not reach", *hosts, stdin=file)
    expect("cannot be started on host b", *hosts, env={**os.environ, "DAMPI_SSH": "false"})
    check_nothing_left("refused")


def placed():
    program = PROGRAMS[0].split("=", 1)[0]
    for hosts, expected in (("b:2,c:1", [2, 2, 1]), ("b:1,localhost:1,c:1", [1, 1, 1]), ("localhost:2,b:1", [2, 2, 1])):
        out = folder("placed")
        done = run(out, 3, ["--hosts", hosts, "--keep-output", "all", "--max-interleavings", "1", "--buffering", "native"],
                   program, [])
        check(done.returncode in (0, 3), f"{hosts}: exit status {done.returncode}: {done.stdout[-800:]} {done.stderr[-800:]}")
        with open(os.path.join(out, "output", "000001.out"), encoding="utf-8") as file:
            lines = sorted(file.read().splitlines())
        check(lines == [f"rank {rank} is one of {count}" for rank, count in enumerate(expected)], f"{hosts}: {lines}")


{"same": same, "delays": delays, "stops": stops, "kills": kills, "refused": refused, "placed": placed}[CASE]()
check_nothing_left(CASE)
sys.exit(1 if failures else 0)
