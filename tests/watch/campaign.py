#!/usr/bin/env python3
"""campaign.py --dampi-watch FILE --work DIR [options]

Puts faults into running jobs at random moments, with dampi-watch beside them, and counts what it makes of them:

  loop   the code that a random rank executes at the moment becomes an endless loop
  stop   a random rank is stopped by a signal
  lost   the next message of a random rank is lost (not in the kernels that have collectives alone)
  slow   a random rank gets a tenth of its time for a while: no hang
  clean  nothing; the whole run counts

and prints a table: found of injected, alarms where there is nothing, the delay until the report, the right ranks blamed,
the rank that is least progressed found. Jobs are the kernels of programs/kernels.c, or --job 'NAME: COMMAND ...' without mpiexec.
Needs the right to trace processes. x86-64.
"""
import argparse
import ctypes
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
LIBC.ptrace.restype = ctypes.c_long
POKETEXT, PEEKTEXT, GETREGS, ATTACH, DETACH = 4, 1, 12, 16, 17
RIP = 16  # words into user_regs_struct
KERNELS = ["cg", "ft", "lu", "mg", "is", "tasks"]
WITHOUT_MESSAGES = ["ft", "is"]


def ranks_of(program):
    """Process ids by rank."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if os.path.realpath(f"/proc/{entry}/exe") != program:
                continue
            with open(f"/proc/{entry}/environ", "rb") as file:
                for word in file.read().split(b"\0"):
                    if word.startswith(b"PMI_RANK="):
                        found[int(word[9:])] = int(entry)
        except OSError:
            continue
    return found


def own_code(pid, program):
    with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as file:
        return [tuple(int(part, 16) for part in line.split()[0].split("-"))
                for line in file if " r-xp " in line and line.rstrip().endswith(program)]


def loop_here(pid, program):
    """Makes the next instruction of the program's own code an endless loop; False: it is somewhere else now."""
    if LIBC.ptrace(ATTACH, pid, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(pid, 0x40000000)
    try:
        registers = (ctypes.c_ulong * 27)()
        LIBC.ptrace(GETREGS, pid, None, ctypes.cast(registers, ctypes.c_void_p))
        at = registers[RIP]
        if not any(low <= at < high for low, high in own_code(pid, program)):
            return False
        word = LIBC.ptrace(PEEKTEXT, pid, at, None)
        LIBC.ptrace(POKETEXT, pid, at, (word & ~0xffff & 0xffffffffffffffff) | 0xfeeb)
        return True
    finally:
        LIBC.ptrace(DETACH, pid, None, None)


def inject(fault, pid, program):
    if fault == "loop":
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if loop_here(pid, program):
                return True
            time.sleep(random.uniform(0.001, 0.02))
        return False
    if fault == "stop":
        os.kill(pid, signal.SIGSTOP)
    elif fault == "lost":
        os.kill(pid, signal.SIGUSR2)
    elif fault == "slow":
        end = time.monotonic() + 6
        while time.monotonic() < end:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.18)
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.02)
    return True


class Run:
    def __init__(self, options, command, number):
        self.out = os.path.join(options.work, f"run-{number}")
        subprocess.run(["rm", "-rf", self.out], check=True)
        os.makedirs(self.out)
        self.log = open(os.path.join(self.out, "log"), "wb")
        self.watching = subprocess.Popen(
            [options.dampi_watch, "-o", self.out, *options.watch_options, "--", options.mpiexec, "-n", str(options.ranks), *command],
            stdout=self.log, stderr=self.log, start_new_session=True,
            env={**os.environ, "LD_PRELOAD": options.drop} if options.drop else None)

    def hang(self, seconds):
        """The report and how long it took, or None."""
        begin = time.monotonic()
        path = os.path.join(self.out, "hang.json")
        while time.monotonic() - begin < seconds and self.watching.poll() is None:
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    return json.load(file), time.monotonic() - begin
            time.sleep(0.05)
        return None

    def end(self, program):
        for pid in ranks_of(program).values():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it has ended meanwhile
        try:
            self.watching.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self.watching.pid, signal.SIGKILL)
            self.watching.wait()
        self.log.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dampi-watch", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--mpiexec", default="mpiexec.mpich")
    parser.add_argument("--mpicc", default="mpicc.mpich")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--each", type=int, default=10, help="injections of each fault into each job")
    parser.add_argument("--faults", default="loop,stop,lost,slow,clean")
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument("--job", action="append", default=[], help="NAME: COMMAND, beside the kernels")
    parser.add_argument("--clean-seconds", type=float, default=60)
    parser.add_argument("--limit", type=float, default=60, help="seconds until a hang counts as missed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("watch_options", nargs="*", help="of dampi-watch, after --")
    options = parser.parse_args()
    random.seed(options.seed)
    options.work = os.path.realpath(options.work)
    os.makedirs(options.work, exist_ok=True)
    here = os.path.dirname(os.path.abspath(__file__))
    program = os.path.join(options.work, "kernels")
    options.drop = os.path.join(options.work, "drop.so")
    subprocess.run([options.mpicc, "-O2", "-g", "-o", program, os.path.join(here, "programs/kernels.c"), "-lm"], check=True)
    subprocess.run([options.mpicc, "-O2", "-shared", "-fPIC", "-o", options.drop, os.path.join(here, "programs/drop.c")], check=True)
    jobs = {name: [program, name, "100000"] for name in options.kernels.split(",") if name}
    for job in options.job:
        name, _, command = job.partition(":")
        jobs[name] = command.split()
        jobs[name][0] = os.path.realpath(jobs[name][0])
    number = 0
    wrong = 0
    print(f"{'job':<8} {'fault':<6} {'runs':>5} {'found':>6} {'false':>6} {'delay s: median (most)':>24} {'blamed':>7} {'behind':>7}",
          flush=True)
    for name, command in jobs.items():
        for fault in options.faults.split(","):
            if fault == "lost" and name in WITHOUT_MESSAGES:
                continue
            found = false = blamed = behind = runs = 0
            delays = []
            for _ in range(options.each if fault != "clean" else 1):
                number += 1
                words = list(command)
                if fault == "clean" and words[0] == program:
                    words[2] = str(options.clean_seconds)
                run = Run(options, words, number)
                try:
                    if fault == "clean":
                        runs += 1
                        hang = run.hang(options.clean_seconds + 30)
                        false += hang is not None
                        continue
                    time.sleep(random.uniform(3, 10))
                    pids = ranks_of(command[0])
                    if len(pids) != options.ranks or os.path.exists(os.path.join(run.out, "hang.json")):
                        print(f"{name}: {len(pids)} ranks run when a fault is due, or there was an alarm", flush=True)
                        false += 1
                        continue
                    rank = random.choice(sorted(pids))
                    if not inject(fault, pids[rank], command[0]):
                        continue
                    runs += 1
                    hang = run.hang(options.limit if fault != "slow" else 15)
                    if fault == "slow":
                        false += hang is not None
                    elif hang:
                        report, delay = hang
                        found += 1
                        delays.append(delay)
                        kinds = {"loop": ["computation"], "stop": ["stopped"], "lost": ["communication", "deadlock"]}[fault]
                        is_right = report["kind"] in kinds and (fault == "lost" or report["blamed"] == [rank])
                        blamed += is_right
                        behind += rank in report["least_progressed"] and len(report["least_progressed"]) == 1
                        if not is_right:
                            print(f"{name} {fault} in rank {rank}: {report['kind']}, blamed {report['blamed']}: {run.out}", flush=True)
                    else:
                        print(f"{name} {fault} in rank {rank}: not found: {run.out}", flush=True)
                finally:
                    run.end(command[0])
            hangs = fault in ("loop", "stop", "lost")
            wrong += false + (runs - found if hangs else 0)
            delay = f"{statistics.median(delays):.1f} ({max(delays):.1f})" if delays else ""
            print(f"{name:<8} {fault:<6} {runs:>5} {found if hangs else '':>6} {false:>6} {delay:>24} "
                  f"{blamed if hangs else '':>7} {behind if fault in ('loop', 'stop') else '':>7}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
