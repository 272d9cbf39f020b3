#!/usr/bin/env python3
"""check_watch.py DAMPI_WATCH MPIEXEC WORK CASE SOLVER [PROGRAMS]

Jobs with a fault in them, watched: the hang is found, of the right kind, and the right rank blamed; and jobs without one,
or that are only slow, in which nothing may be found. SOLVER is examples/watch/solver.c, built. CASE names the fault, or:

  exact     deadlocks of PROGRAMS (tests/programs, built), decided from facts, also while others go on
  clean     a job without a fault: its output, its exit status, nothing else
  border_…  faults of programs/border.c, which SOLVER is then: loops are told as the program has them
  outside   the same faults without the layer, by stacks alone
  attach    a job that runs already
  command   a command is executed for a hang; the job goes on
  goes_on   what was reported and then went on
  two_jobs  a script that runs one job after the other
  monitor   the monitor is killed: the job is not, and the next monitor removes its boards
  refused   what cannot be
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

DAMPI_WATCH, MPIEXEC, WORK, CASE, SOLVER = sys.argv[1:6]
RANKS = 3
LONG = 240  # seconds; only a failure comes to it
STEP = 150
os.makedirs(WORK, exist_ok=True)
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED: {what}")


def job(*arguments, steps=100000):
    return [MPIEXEC, "-n", str(RANKS), SOLVER, str(steps), *map(str, arguments)]


def folder(name):
    path = os.path.join(WORK, name)
    subprocess.run(["rm", "-rf", path], check=True)
    return path


def watch(name, command, *options, environment=None):
    out = folder(name)
    done = subprocess.run([DAMPI_WATCH, "-o", out, *options, *(["--", *command] if command else [])], capture_output=True,
                          text=True, timeout=LONG, env={**os.environ, **(environment or {})})
    print(done.stderr)
    return done, out


def report(out, name="hang.json"):
    with open(os.path.join(out, name), encoding="utf-8") as file:
        return json.load(file)


def nothing_left():
    """No rank and no board."""
    time.sleep(0.2)
    left = subprocess.run(["pgrep", "-f", SOLVER + " 1"], capture_output=True, text=True).stdout.split()
    check(not left, f"processes are left: {left}")


def group_of(hang, rank):
    return next(group for group in hang["groups"] if rank in group["ranks"])


def functions(group):
    return [place["function"] for place in group["stack"]]


def waits_of(hang):
    """Pairs of a rank and one that would have to do something for it."""
    return sorted((node["rank"], edge["to"]) for node in hang["wait_for"]["nodes"] for edge in node["edges"])


def check_hang(hang, fault):
    others = [rank for rank in range(RANKS) if rank != 1]
    if fault == "loop":
        check(hang["kind"] == "computation", f"kind {hang['kind']}")
        check(hang["blamed"] == [1], f"blamed: {hang['blamed']}")
        check("relax" in functions(group_of(hang, 1)), f"stack of rank 1: {functions(group_of(hang, 1))}")
        check(functions(group_of(hang, 0))[0] == "norm", f"stack of rank 0: {functions(group_of(hang, 0))}")
        check(group_of(hang, 0)["state"] == "in MPI_Allreduce", group_of(hang, 0)["state"])
    elif fault == "lost":
        check(hang["kind"] == "communication", f"kind {hang['kind']}")
        check(hang["blamed"] == [], f"blamed: {hang['blamed']}")
        check(functions(group_of(hang, 2))[0] == "exchange", f"stack of rank 2: {functions(group_of(hang, 2))}")
        check(group_of(hang, 2)["state"] == "in MPI_Waitall", group_of(hang, 2)["state"])
    elif fault == "stop":
        check(hang["kind"] == "stopped" and hang["blamed"] == [1], f"{hang['kind']}, blamed: {hang['blamed']}")
        check(group_of(hang, 1)["stopped"], "rank 1 is not said to be stopped")
    elif fault == "circle":
        check(hang["kind"] == ("deadlock" if hang["eye"] == "layer" else "communication"), f"kind {hang['kind']}")
        if hang["eye"] == "layer":
            check(hang["decided"] == "facts", f"decided from {hang['decided']}, {hang['not_decided_from_facts']}")
            check(waits_of(hang) == [(0, 2), (1, 0), (2, 1)], f"waits: {hang['wait_for']}")
    elif fault == "poll":
        check(hang["kind"] == "communication", f"kind {hang['kind']}")
        for rank in others:
            check("MPI_Iprobe" in group_of(hang, rank)["state"], group_of(hang, rank)["state"])
            check("await" in functions(group_of(hang, rank)), f"stack: {functions(group_of(hang, rank))}")
    if hang["eye"] == "layer" and fault in ("loop", "lost", "stop"):
        behind = 2 if fault == "lost" else 1
        check(hang["least_progressed"] == [behind], f"least progressed: {hang['least_progressed']}")
        iterations = group_of(hang, behind)["iterations"]
        check([(i["loop"]["function"], i["number"]) for i in iterations] == [("main", STEP + 1)], f"iterations: {iterations}")
        variables = group_of(hang, behind)["variables"]
        check([(of["rank"], of["function"], of["values"].get("step")) for of in variables] == [(behind, "main", STEP)],
              f"variables: {variables}")


def fault(name, *options):
    done, out = watch(name, job(name, 1, STEP), "--on-hang", "kill", *options)
    check(done.returncode == 124, f"exit status {done.returncode}")
    check(len(re.findall("HANG", done.stderr)) == 1, "not one hang")
    hang = report(out)
    with open(os.path.join(out, "hang.html"), encoding="utf-8") as file:
        page = file.read()
        check('"verdict":"hang"' in page and hang["kind"] in page, "the page is of something else")
    check(hang["ranks_seen"] == RANKS, f"{hang['ranks_seen']} ranks seen")
    check_hang(hang, name)
    nothing_left()


def no_hang(name, *arguments, steps=400, options=(), environment=None):
    done, out = watch(name, job(*arguments, steps=steps), *options, environment=environment)
    check(done.returncode == 0, f"exit status {done.returncode}")
    check("HANG" not in done.stderr and not os.path.exists(out), "a hang is reported")
    check(re.fullmatch(r"[0-9.e+]+\n", done.stdout) is not None, f"output: {done.stdout!r}")
    return done


def border(name):
    """Rank 1 has the fault; ranks 0 and 2 lack some of its calls."""
    mpiexec = [MPIEXEC, *(["-disable-auto-cleanup"] if name == "exit" else [])]
    done, out = watch(name, [*mpiexec, "-n", str(RANKS), SOLVER, "100000", name, "1", str(STEP)], "--on-hang", "kill")
    check(done.returncode == 124, f"exit status {done.returncode}")
    hang = report(out)
    print(json.dumps(hang["groups"], indent=1))
    check(hang["kind"] == ("deadlock" if name == "exit" else "computation"), f"kind {hang['kind']}")
    check(hang["blamed"] == [1], f"blamed: {hang['blamed']}")
    check(hang["least_progressed"] in ([], [1]) if name in ("thread", "again") else hang["least_progressed"] == [1],
          f"least progressed: {hang['least_progressed']}")
    for rank in range(RANKS):
        loops = [(of["loop"]["function"], of["in_function"], of["number"]) for of in group_of(hang, rank)["iterations"]]
        rounds = [STEP + 1] if rank == 1 else [STEP + 1, STEP + 2]
        if name == "thread":  # one message too few, so another one is taken for it, until all meet
            rounds = range(STEP + 1, STEP + 11)
        if name == "again" and rank == 1:  # in a loop of its own, whose calls are counted once
            continue
        check(loops in [[("main", True, number)] for number in rounds], f"loops of rank {rank}: {loops}")
    group = group_of(hang, 1)
    check(group["ranks"] == [1], f"the blamed rank's group: {group['ranks']}")
    for property, faults in (("idle", ["sleep"]), ("died", ["exit"]), ("other_thread", ["thread"])):
        check(group[property] == (name in faults), f"{property}: {group[property]}")
    if name in ("thread", "join"):
        check(functions(group)[0] == "spin", f"stack: {functions(group)}")
    said = {"loop": "rank 1 computes", "sleep": "rank 1 sleeps or is blocked outside MPI without end in ",
            "exit": "rank 1 has ended without MPI_Finalize, so ranks 0, 2 can never go on", "join": "rank 1 computes",
            "again": "rank 1 computes", "thread": "a thread of rank 1 uses the processor outside MPI"}[name]
    check(said in done.stderr, f"it is not said that {said}")
    nothing_left()


def border_poll():
    """Who is between two questions is no other thread."""
    done, out = watch("poll", job("poll", 1, STEP), "--on-hang", "kill")
    check(done.returncode == 124, f"exit status {done.returncode}")
    hang = report(out)
    check((hang["kind"], hang["blamed"]) == ("communication", []), f"{hang['kind']}, blamed: {hang['blamed']}")
    group = group_of(hang, 1)
    check(group["state"] == "asking again and again with MPI_Iprobe", group["state"])
    check(functions(group)[0] in ("poll", "main"), f"stack: {functions(group)}")
    nothing_left()


def exact():
    programs = os.path.join(sys.argv[6], "deadlock")
    for name, ranks, stuck, reason in (
            ("recv_recv_cycle", 2, [0, 1], "send a message with tag 3 on MPI_COMM_WORLD"),
            ("circular_wait", 3, [0, 1, 2], "receive the message with tag 0 on MPI_COMM_WORLD"),
            ("barrier_missing", 3, [0, 2], "enter MPI_Barrier on MPI_COMM_WORLD"),
            ("partial_while_computing", 3, [0, 1], "send a message"),
            ("partial_wildcard_in_group", 4, [0, 1], "on a communicator of 2 ranks"),
            ("recv_from_finished", 2, [0], "send a message"),
            ("waitany_of_many", 3, [0, 1], "send a message")):
        program = os.path.join(programs, name)
        done, out = watch(name, [MPIEXEC, "-n", str(ranks), program], "--on-hang", "kill")
        check(done.returncode == 124, f"{name}: exit status {done.returncode}")
        hang = report(out)
        check((hang["kind"], hang["decided"]) == ("deadlock", "facts"), f"{name}: {hang['kind']} by {hang['decided']}")
        check([node["rank"] for node in hang["wait_for"]["nodes"]] == stuck, f"{name}: {hang['wait_for']}")
        check(reason in json.dumps(hang["wait_for"]) and reason in done.stderr, f"{name}: {hang['wait_for']}")
        check(all(group["stack"][0]["file"].endswith(name + ".c") for group in hang["groups"] if set(group["ranks"]) & set(stuck)),
              f"{name}: {hang['groups']}")
    # Where MPI may yet find room it is not decided before nobody has got on for long enough.
    done, out = watch("head_to_head", [MPIEXEC, "-n", "2", os.path.join(programs, "head_to_head")], "--on-hang", "kill")
    hang = report(out)
    check((hang["kind"], hang["decided"], hang["deadlock_without_room"]) == ("deadlock", "statistics", True), f"{hang}")


def clean():
    done = no_hang("clean")
    check(f"watches {RANKS} ranks through the light layer" in done.stderr, "the layer is not there")
    no_hang("clean_outside", options=["--no-layer"])
    done, _ = watch("status", ["sh", "-c", "echo word; exit 7"], "-q")
    check((done.returncode, done.stdout, done.stderr) == (7, "word\n", ""), f"{done}")


def late_start():
    done, _ = watch("late_start", [MPIEXEC, "-n", "2", SOLVER])
    check(done.returncode == 0, f"exit status {done.returncode}")
    check("watches 2 ranks through the light layer" in done.stderr, "the layer has not been waited for")


def attach():
    with tempfile.TemporaryFile() as log:
        with subprocess.Popen(job("loop", 1, STEP), stdout=log, stderr=log) as running:
            try:
                time.sleep(1)
                out = folder("attach")
                with subprocess.Popen([DAMPI_WATCH, "-o", out, "--attach", str(running.pid)], stderr=subprocess.PIPE,
                                      text=True) as watching:
                    end = time.monotonic() + LONG
                    while not os.path.exists(os.path.join(out, "hang.json")) and time.monotonic() < end:
                        time.sleep(0.1)
                    watching.send_signal(signal.SIGINT)
                    text = watching.communicate(timeout=LONG)[1]
                    print(text)
                    check(watching.returncode == 124, f"exit status {watching.returncode}")
                check(running.poll() is None, "the job has ended with its monitor")
                check_hang(report(out), "loop")
            finally:
                running.terminate()
                running.wait(timeout=LONG)
    nothing_left()


def command():
    script = os.path.join(WORK, "told.sh")
    told = os.path.join(WORK, "told")
    # Only the ranks: mpiexec, whose command has their name in it, ends with 0 at times when it is what gets the signal.
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho \"$1\" >{told}.new && mv {told}.new {told}\npkill -TERM -f '^{SOLVER} 1'\n")
    os.chmod(script, 0o755)
    done, out = watch("command", job("circle", 1, STEP), "--on-hang", f"command:{script}")
    check(done.returncode not in (0, 124), f"exit status {done.returncode}")
    with open(told, encoding="utf-8") as file:
        check(file.read() == os.path.join(out, "hang.json") + "\n", "the command was told of another file")
    nothing_left()


def goes_on():
    done, out = watch("goes_on", job("phase", 1, STEP, steps=200), environment={"MILLISECONDS": "25000"})
    check(done.returncode == 0, f"exit status {done.returncode}")
    check("it was slow, and did not hang" in done.stderr, "it is not said that it went on")
    check(report(out)["went_on"] is True, "the report does not say that it went on")


def two_jobs():
    first = " ".join(job(steps=100))
    second = " ".join(job("stop", 1, STEP))
    done, out = watch("two_jobs", ["sh", "-c", f"{first} && {second}"], "--on-hang", "kill")
    check(done.returncode == 124, f"exit status {done.returncode}")
    check_hang(report(out), "stop")
    nothing_left()


def monitor():
    with subprocess.Popen([DAMPI_WATCH, "-o", folder("monitor"), "--", *job(steps=400)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as watching:
        time.sleep(2)
        with open(f"/proc/{watching.pid}/maps", encoding="utf-8") as file:
            boards = set(re.findall(r"/dev/shm/dampi-watch\.\w+", file.read()))
        check(len(boards) == 1, f"boards: {boards}")
        watching.kill()
        output = watching.communicate(timeout=LONG)[0]  # until the job has closed it
        check(re.fullmatch(r"[0-9.e+]+\n", output) is not None, f"the job's output: {output!r}")
    # The next one removes what it has left, when no rank can be about to use it.
    for path in boards:
        subprocess.run([DAMPI_WATCH, "--", "true"], timeout=LONG, check=True)
        check(os.path.exists(path), "a folder that may be new is removed")
        os.utime(path, (0, 0))
        subprocess.run([DAMPI_WATCH, "--", "true"], timeout=LONG, check=True)
        check(not os.path.exists(path), "the folder of a monitor that is gone is left")
    nothing_left()


def refused():
    for words, text in (([], "say what starts the job"), (["--on-hang", "sing", "--", "true"], "--on-hang is"),
                        (["--", os.path.join(WORK, "nothing")], "cannot start"),
                        (["--attach", "999999999"], "no process 999999999"),
                        (["--attach", str(os.getpid())], "none of these processes is a rank"),
                        (["--slurm-job", "no-such-job"], "no process on this machine belongs"),
                        (["--significance", "2", "--", "true"], "--significance"),
                        (["--on-hang", "command:/nonexistent", "--", "true"], "no such file that can be executed"),
                        (["--on-hang", "command:" + __file__ + ".none", "--", "true"], "no such file that can be executed"),
                        (["--on-hang", "command:/etc/passwd", "--", "true"], "no such file that can be executed"),
                        (["-o", "/proc/reports", "--", "true"], "name another directory with -o"),
                        (["-o", "/etc/passwd", "--", "true"], "name another directory with -o"),
                        (["-o", "/etc/passwd/reports", "--", "true"], "name another directory with -o")):
        done = subprocess.run([DAMPI_WATCH, *words], capture_output=True, text=True, timeout=LONG)
        check(done.returncode == 2 and text in done.stderr, f"{words}: {done.returncode}, {done.stderr}")
    done, out = watch("nothing", ["true"], "--on-hang", "command:true")
    check(done.returncode == 0 and not os.path.exists(out), f"a directory that may be made: {done.returncode}")


CASES = {"clean": clean, "late_start": late_start, "exact": exact, "attach": attach, "command": command, "goes_on": goes_on, "two_jobs": two_jobs, "monitor": monitor,
         "refused": refused, "border_poll": border_poll, "slow": lambda: no_hang("slow", "slow", 1, STEP),
         "phase": lambda: no_hang("phase", "phase", 1, STEP)}
if CASE in CASES:
    CASES[CASE]()
elif CASE.startswith("border_"):
    border(CASE.removeprefix("border_"))
elif CASE.startswith("outside_"):
    fault(CASE.removeprefix("outside_"), "--no-layer")
else:
    fault(CASE)
sys.exit(1 if failures else 0)
