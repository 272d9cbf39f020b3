#!/usr/bin/env python3
"""check_workers.py DAMPI_RUN WORK CASE PROGRAM [ARGUMENT...]

A sweep that workers run ends like one without: same verdict, outcomes, findings and counts, each outcome once, whatever
becomes of the workers. CASE:

  same      with 1 and with 3 workers, both engines, --buffering all
  kills     workers are killed at random moments (KILLS of them, by default 8), some with all ranks of their runs
  resume    dampi-run is killed, and the sweep resumed with workers; and one begun with workers resumed without
  refused   workers with another secret, another build's dampi, another working directory; no worker at all; options that
            cannot be
Nothing is left behind: no process, no file of a worker.
"""
import glob
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "harness"))
sys.dont_write_bytecode = True  # the sources stay as they are
from sweeps import check, differences, empty_folder, failures, report_of  # noqa: E402

DAMPI_RUN, WORK, CASE = sys.argv[1:4]
PROGRAM = sys.argv[4:]
WORKER = os.path.join(os.path.dirname(DAMPI_RUN), "dampi-worker")
PROCESSES = "4"
LONG = 300  # seconds; only a failure comes to it
os.makedirs(WORK, exist_ok=True)
os.environ["TMPDIR"] = tempfile.mkdtemp(dir=WORK)


def folder(name):
    return empty_folder(os.path.join(WORK, name))


def command(out, *options, program=True):
    return [DAMPI_RUN, *(["-n", PROCESSES] if program else []), *options, *(["-o", out] if program else []),
            *(PROGRAM if program else [])]


def run(name, *options, status=(0, 1)):
    out = folder(name)
    done = subprocess.run(command(out, *options), capture_output=True, text=True, timeout=LONG)
    check(done.returncode in status, f"{name}: exit status {done.returncode}: {done.stdout[-1500:]} {done.stderr[-1500:]}")
    return report_of(out), done


def check_same(expected, report, name):
    for difference in differences(expected, report):
        check(False, f"{name}: {difference}")
    check(report["interleavings"]["duplicates"] in (0, None), f"{name}: an outcome was run twice")


def workers_of(process):
    """Process numbers of its workers."""
    found = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(process.pid)], capture_output=True, text=True,
                           check=False).stdout
    return [int(line.split()[0]) for line in found.splitlines() if line.split()[1] == "dampi-worker"]


def descendants_of(number):
    """Of a process: its ranks, too."""
    found = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
    children = {}
    for line in found.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    all_of_them, left = [], [number]
    while left:
        more = children.get(left.pop(), [])
        all_of_them += more
        left += more
    return all_of_them


def end_worker(number, how, with_ranks):
    """As a scheduler ends all processes of a task, the ranks first: nothing that the program has done."""
    for each in (descendants_of(number) if with_ranks else []) + [number]:
        try:
            os.kill(each, how)
        except ProcessLookupError:
            pass


def same():
    for engine in ("central", "distributed"):
        expected, _ = run("alone", "--engine", engine, "--merge-states", "never", "--buffering", "all")
        for count in ("1", "3") if engine == "central" else ("3",):
            report, done = run("workers", "--engine", engine, "--workers", count, "--buffering", "all")
            check_same(expected, report, f"{count} workers, {engine}")
            check(report["workers"] is not None and report["workers"]["joined"] >= 1 and
                  report["workers"]["lost"] == 0 and report["workers"]["run_again"] == 0, str(report["workers"]))
            check(sum(row["interleavings"] for row in report["workers"]["rows"]) >= report["interleavings"]["explored"],
                  "the workers' interleavings are not all")
            check(f"run by {report['workers']['joined']} worker" in done.stdout, done.stdout)
    # Decided by the sweep, not by each worker: MPI repeats the first run on a worker, too.
    expected, _ = run("alone", "--merge-states", "never")
    report, _ = run("workers", "--workers", "2")
    check_same(expected, report, "auto")
    check(expected["engine"] == report["engine"], "another engine than without workers")
    check(report["first_run_repeated_by_mpi"] == expected["first_run_repeated_by_mpi"],
          str(report["first_run_repeated_by_mpi"]))
    report, _ = run("workers", "--workers", "2", "--max-interleavings", "5", "--merge-states", "never", status=(3,))
    check(report["interleavings"]["explored"] == 5, "--max-interleavings")


def kills():
    wanted = int(os.environ.get("KILLS", "8"))
    dice = random.Random(int(os.environ.get("SEED", "28")))
    expected, _ = run("alone", "--engine", "central", "--merge-states", "never")
    done, rounds = 0, 0
    while done < wanted:
        rounds += 1
        out = folder("kills")
        process = subprocess.Popen(command(out, "--engine", "central", "--workers", "3"), stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        here = 0
        while process.poll() is None and done < wanted:
            time.sleep(dice.uniform(0, 0.15))
            workers = workers_of(process)
            if workers:
                # One is told to go, and is not started again.
                end_worker(dice.choice(workers), signal.SIGTERM if here == 0 else signal.SIGKILL, dice.random() < 0.5)
                here += 1
                done += 1
        said, _ = process.communicate(timeout=LONG)
        check(process.returncode in (0, 1), f"after {here} kills: exit status {process.returncode}: {said[-1500:]}")
        check_same(expected, report_of(out), f"after {here} kills")
    print(f"{done} kills in {rounds} sweeps")


def resume():
    expected, _ = run("alone", "--engine", "central", "--merge-states", "never")
    out = folder("resume")
    process = subprocess.Popen(command(out, "--engine", "central", "--workers", "2"), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    journal = os.path.join(out, "journal")
    end = time.monotonic() + LONG
    while process.poll() is None and time.monotonic() < end and \
            not (os.path.exists(journal) and os.path.getsize(journal) > 8000):
        time.sleep(0.001)
    process.kill()
    process.wait(timeout=LONG)
    done = subprocess.run([DAMPI_RUN, "--resume", out], capture_output=True, text=True, timeout=LONG)
    check(done.returncode in (0, 1), f"resumed: {done.returncode} {done.stdout} {done.stderr}")
    report = report_of(out)
    check_same(expected, report, "resumed after dampi-run was killed")
    check(report["workers"] is not None, "a sweep that was begun with workers goes on with them")
    # Begun without, gone on with; and the other way round.
    for first, then in ((["--merge-states", "never", "-j", "1"], ["--workers", "2"]), (["--workers", "1"], ["--workers", "none"])):
        run("resume", "--engine", "central", "--max-interleavings", "7", *first, status=(1, 3))
        done = subprocess.run([DAMPI_RUN, "--resume", out, "--max-interleavings", "none", *then], capture_output=True,
                              text=True, timeout=LONG)
        check(done.returncode in (0, 1), f"resumed: {done.returncode} {done.stdout} {done.stderr}")
        check_same(expected, report_of(out), f"resumed with {then}")
    # Runs that may have ended in states of others before: as many as it takes, and nothing left out.
    run("resume", "--engine", "central", "--max-interleavings", "7", status=(1, 3))
    done = subprocess.run([DAMPI_RUN, "--resume", out, "--max-interleavings", "none", "--workers", "2"],
                          capture_output=True, text=True, timeout=LONG)
    check(done.returncode in (0, 1), f"resumed: {done.returncode} {done.stdout} {done.stderr}")
    check(report_of(out)["complete"] and report_of(out)["verdict"] == expected["verdict"], "resumed, merged before")
    # An interrupt acts at once and leaves what can be resumed.
    out = folder("interrupted")
    process = subprocess.Popen(command(out, "--workers", "0"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    address = os.path.join(out, "workers", "address")
    while process.poll() is None and not os.path.exists(address) and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=LONG)
    check(process.returncode == 3 and "interrupted" in said, f"interrupted: {process.returncode} {said}")
    check(not os.path.exists(os.path.join(out, "workers")), "the secret is still there")


def refused():
    def join(out, secret_file, **where):
        with open(os.path.join(out, "workers", "address"), encoding="utf-8") as file:
            address = file.read().strip()
        done = subprocess.run([WORKER, "--join", address, "--secret-file", secret_file, "--slots", "1"],
                              capture_output=True, text=True, timeout=LONG, **where)
        return done.returncode, done.stderr

    out = folder("refused")
    process = subprocess.Popen(command(out, "--workers", "0", "--merge-states", "never"), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    secret = os.path.join(out, "workers", "secret")
    end = time.monotonic() + LONG
    while process.poll() is None and not os.path.exists(os.path.join(out, "workers", "address")) and \
            time.monotonic() < end:
        time.sleep(0.01)
    check(os.stat(secret).st_mode & 0o077 == 0, "others may read the secret")
    wrong = os.path.join(WORK, "wrong-secret")
    with open(wrong, "w", encoding="utf-8") as file:
        file.write("0" * 64 + "\n")
    os.chmod(wrong, 0o644)
    status, said = join(out, wrong)
    check(status == 2 and "chmod 600" in said, f"a secret that others may read: {status} {said}")
    os.chmod(wrong, 0o600)
    status, said = join(out, wrong)
    check(status == 1 and "does not accept the secret" in said, f"another secret: {status} {said}")
    # The program is another one for this worker.
    program = PROGRAM[0]
    os.rename(program, program + ".away")
    try:
        subprocess.run(["cp", "/bin/true", program], check=True)
        status, said = join(out, secret)
    finally:
        os.rename(program + ".away", program)
    check(status == 3 and "refused" not in said, f"another program: {status} {said}")
    # What matters of a worker's own environment is replaced by the sweep's.
    other = dict(os.environ, MPIR_CVAR_CH4_NETMOD="ofi", OMP_NUM_THREADS="7")
    status, said = join(out, secret, env=other, cwd="/")
    check(status == 0, f"a good worker: {status} {said}")
    said, errors = process.communicate(timeout=LONG)
    check(process.returncode in (0, 1), f"{process.returncode} {said} {errors}")
    check("a worker was refused" in errors and "workers may join, with" in errors, errors)
    check(report_of(out)["workers"]["joined"] == 1 and report_of(out)["workers"]["refused"] >= 2,
          str(report_of(out)["workers"]))
    for options, text in ((["--show-output"], "--show-output"), (["--launcher", "mpiexec"], "--launcher"),
                          (["--merge-states", "always"], "states of others"), (["--engine", "x"], "--engine")):
        done = subprocess.run(command(folder("none"), "--workers", "1", *options), capture_output=True, text=True,
                              timeout=LONG)
        check(done.returncode == 2 and text in done.stderr, f"{options}: {done.returncode} {done.stderr}")
    done = subprocess.run(command(folder("none"), "--workers", "0", "--worker-wait", "0.3"), capture_output=True, text=True,
                          timeout=LONG)
    check(done.returncode == 2 and "there was no worker" in done.stderr, f"no worker: {done.returncode} {done.stderr}")
    hosts = os.path.join(WORK, "hosts")
    with open(hosts, "w", encoding="utf-8") as file:
        file.write("nobody\nno_other:2\n")
    done = subprocess.run(command(folder("none"), "--workers", "ssh:" + hosts), capture_output=True, text=True,
                          timeout=LONG, env=dict(os.environ, DAMPI_SSH="/bin/false"))
    check(done.returncode == 2 and "no other will come: host no_other: '/bin/false' ended 5 times" in done.stderr and
          "dampi-run: host nobody runs no worker: '/bin/false' ended 5 times" in done.stderr,
          f"ssh fails: {done.returncode} {done.stderr}")


{"same": same, "kills": kills, "resume": resume, "refused": refused}[CASE]()
# Workers that were killed leave their files to the next one; these are all gone with the last. One may have been killed
# before it locked its place.
if CASE != "refused":
    os.mkdir(os.path.join(os.environ["TMPDIR"], "dampi-worker.begun"))
    run("last", "--workers", "1")
left = glob.glob(os.path.join(os.environ["TMPDIR"], "dampi-worker.*"))
check(not left, f"left behind: {left}")
mine = subprocess.run(["pgrep", "-f", os.environ["TMPDIR"]], capture_output=True, text=True, check=False).stdout
check(not mine.strip(), f"processes left behind: {mine}")
subprocess.run(["rm", "-rf", os.environ["TMPDIR"]], check=True)
sys.exit(1 if failures else 0)
