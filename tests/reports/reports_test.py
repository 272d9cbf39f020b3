"""What dampi-run writes for other systems, as these would read it: report.json, JUnit's XML, SARIF and GitLab's code
quality, of real sweeps; and the life of a baseline. See README.md."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path

import jsonschema

parser = argparse.ArgumentParser()
parser.add_argument("--dampi-run", required=True)
parser.add_argument("--mpicc", required=True)
parser.add_argument("--work", type=Path, required=True)
parser.add_argument("--root", type=Path, required=True)
given, rest = parser.parse_known_args()
here = Path(__file__).parent


def closed(schema):
    """The schema, in which objects have no members but those that it names."""
    if isinstance(schema, dict):
        changed = {name: closed(value) for name, value in schema.items()}
        if "required" in schema and "properties" in schema:
            changed["additionalProperties"] = False
        return changed
    return [closed(value) for value in schema] if isinstance(schema, list) else schema


report_schema = jsonschema.Draft7Validator(
    closed(json.loads((given.root / "docs/schemas/dampi-report-3.schema.json").read_text())))
sarif_schema = jsonschema.Draft4Validator(json.loads((here / "sarif-2.1.0.schema.json").read_text()))


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = given.work / self.id().split(".")[-1]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / ".git").mkdir()

    def build(self, *flags, name="app.c", before="", text="two_orders.c"):
        """Builds a program of this folder's with some lines before it."""
        source = self.folder / os.fsdecode(name)
        source.write_text(before + (here / "programs" / text).read_text())
        program = source.with_suffix("")
        subprocess.run([given.mpicc, "-g", *flags, "-o", program, source], check=True, timeout=120)
        return program

    def sweep(self, program, *options, status, processes=3, stdin=None):
        """Runs a sweep with all reports and returns what it printed; the reports are read into self."""
        words = [given.dampi_run, "-n", str(processes), "--buffering", "native", "-o", "out", "--junit", "junit.xml",
                 "--sarif", "dampi.sarif", "--code-quality", "quality.json", *options, program]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=300, stdin=stdin)
        printed = os.fsdecode(done.stdout + done.stderr)
        self.assertEqual(done.returncode, status, printed)
        if status != 2:
            self.read_reports()
            self.assertEqual(self.report["passing"]["exit_status"], status)
        return printed

    def read_reports(self):
        self.report = json.loads((self.folder / "out/report.json").read_bytes())
        report_schema.validate(self.report)
        self.sarif = json.loads((self.folder / "dampi.sarif").read_bytes())
        sarif_schema.validate(self.sarif)
        self.suite = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot().find("testsuite")
        self.quality = json.loads((self.folder / "quality.json").read_bytes())
        cases = self.suite.findall("testcase")
        for name, count in (("tests", len(cases)), ("failures", len(self.suite.findall(".//failure"))),
                            ("errors", len(self.suite.findall(".//error"))),
                            ("skipped", len(self.suite.findall(".//skipped")))):
            self.assertEqual(int(self.suite.get(name)), count)
        status = self.report["passing"]["exit_status"]
        self.assertEqual(status == 1, bool(self.suite.findall(".//failure")), status)
        verdict = {"violations": "failure" if status == 1 else "skipped", "incomplete": "skipped", "clean": "system-out"}
        self.assertIsNotNone(cases[0].find(verdict[self.report["verdict"]]))
        self.assertEqual(len(cases[0]), 1 if self.report["verdict"] == "clean" else 2)
        names = [case.get("name") for case in cases]
        self.assertEqual(len(set(names)), len(names))
        prints = [entry["fingerprint"] for entry in self.quality]
        self.assertEqual(len(set(prints)), len(prints))

    def results(self, state=None):
        return [result for result in self.sarif["runs"][0]["results"] if result.get("baselineState") == state]

    def failures(self):
        """The types of the failed cases, but for that of the verdict."""
        return [each.get("type") for each in self.suite.findall("testcase/failure") if each.get("type") != "violations"]

    def test_what_may_follow_from_another_finding(self):
        printed = self.sweep(self.build(text="undefined_then_aborted.c"), status=1, processes=2)
        first, second = self.report["violations"]
        self.assertEqual((first["kind"], second["kind"]), ("type/message", "abort"))
        self.assertEqual((first["comes_after"], second["comes_after"]), ([], [0]))
        self.assertIn("comes after violation 1 in the same run, and may follow from it", printed)

    def test_findings(self):
        self.sweep(self.build(), status=1)
        kinds = sorted(finding["kind"] for finding in self.report["violations"])
        self.assertEqual(kinds, ["deadlock", "leak/communicator"])
        # JUnit
        failures = {case.get("name"): case.find("failure") for case in self.suite.findall("testcase")}
        self.assertEqual(failures.pop("every interleaving").get("type"), "violations")
        self.assertEqual({case.get("file") for case in self.suite.findall("testcase[@line]")}, {"app.c"})
        self.assertEqual({case.get("classname") for case in self.suite.findall("testcase")}, {"dampi.app-n3"})
        self.assertEqual(sorted(failure.get("type") for failure in failures.values()), kinds)
        self.assertTrue(all("--replay out/decisions/" in failure.text for failure in failures.values()))
        # SARIF
        run = self.sarif["runs"][0]
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        self.assertEqual(run["invocations"][0]["toolExecutionNotifications"], [])
        results = {result["ruleId"]: result for result in run["results"]}
        self.assertEqual(sorted(results), kinds)
        for kind, result in results.items():
            self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], kind)
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"], {"uri": "app.c", "uriBaseId": "%SRCROOT%"})
        source = (self.folder / "app.c").read_text().splitlines()
        deadlock = results["deadlock"]
        line = deadlock["locations"][0]["physicalLocation"]["region"]["startLine"]
        self.assertIn("MPI_Recv(&value, 1, MPI_INT, 2,", source[line - 1])
        steps = {flow["id"]: flow["locations"] for flow in deadlock["codeFlows"][0]["threadFlows"]}
        receive, end = steps["rank 0"][0], steps["rank 0"][-1]
        self.assertIn("matched the message from rank 2", receive["location"]["message"]["text"])
        self.assertEqual(receive["importance"], "essential")
        self.assertLess(receive["executionOrder"], end["executionOrder"])
        sent = [step for step in steps["rank 2"] if "rank 0 took the message" in step["location"]["message"]["text"]]
        self.assertTrue(sent and sent[0]["executionOrder"] < receive["executionOrder"], "a send comes before its receive")
        for rule in run["tool"]["driver"]["rules"]:
            self.assertTrue(rule["fullDescription"]["text"].startswith(rule["shortDescription"]["text"]))
        # GitLab's code quality
        self.assertEqual(sorted(entry["check_name"] for entry in self.quality), kinds)
        self.assertEqual({entry["location"]["path"] for entry in self.quality}, {"app.c"})

    def test_output_of_the_program(self):
        source = self.folder / "fatal.c"
        source.write_text("""#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    fputs("fatal: no input\\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 7);
}
""")
        program = source.with_suffix("")
        subprocess.run([given.mpicc, "-g", "-o", program, source], check=True, timeout=120)
        printed = self.sweep(program, status=1, processes=1)
        self.assertEqual([finding["printed"] for finding in self.report["violations"]], [["output/000001.err"]])
        self.assertIn("fatal: no input", (self.folder / "out/output/000001.err").read_text())
        line = "the program's output: out/output/000001.err"
        self.assertIn(line, printed)
        self.assertTrue(any(line in (failure.text or "") for failure in self.suite.findall(".//failure")))
        self.assertIn("T" + line[1:], self.results()[0]["message"]["text"])

    def test_clean(self):
        self.sweep(self.build("-DMENDED"), status=0)
        self.assertEqual(self.sarif["runs"][0]["results"], [])
        self.assertEqual(self.quality, [])
        self.assertEqual([len(case.findall("*")) for case in self.suite.findall("testcase")], [1])  # its output

    def test_incomplete(self):
        program = self.build("-DMENDED")
        printed = self.sweep(program, "--max-interleavings", "1", status=3)
        skipped = self.suite.find("testcase/skipped")
        self.assertIn("--max-interleavings", skipped.text)
        self.assertIn("verdict: incomplete", skipped.get("message"))
        notifications = self.sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        self.assertIn("--max-interleavings", notifications[0]["message"]["text"])
        self.assertNotIn("exit status", printed)
        printed = self.sweep(program, "--max-interleavings", "1", "--incomplete-ok", status=0)
        self.assertIn("exit status 0: --incomplete-ok", printed)
        self.assertIn("verdict: incomplete", printed)

    def test_corpus(self):
        options = ("--corpus", "kept")
        cases = lambda tag: [case.get("name") for case in self.suite.findall("testcase")
                             if case.get("name").startswith("corpus: ") and case.find(tag) is not None]
        self.assertIn("the corpus kept cannot be read", self.sweep(self.build(), *options, status=2))
        self.sweep(self.build(), *options, "--corpus-add", status=1)
        kept = {file.name: file.read_bytes() for file in (self.folder / "kept").iterdir()}
        self.assertEqual(sorted(self.report["corpus"]["added"]), sorted(kept))
        self.assertEqual(len(kept), 2)
        # What the budget does not reach is found all the same, in another build, and not added again.
        printed = self.sweep(self.build(before="\n"), *options, "--corpus-add", "--max-interleavings", "1", status=1)
        self.assertIn("corpus kept: 2 files: 2 fails", printed)
        self.assertEqual(self.report["corpus"]["added"], [])
        self.assertEqual(cases("failure"), sorted("corpus: " + name for name in kept))
        # One run shows the one or the other, whichever message comes first.
        by_corpus = [each for each in self.report["violations"] if each["corpus_file"] is not None]
        self.assertEqual([each["count"] for each in by_corpus], [0])
        self.assertTrue(by_corpus[0]["corpus_file"].startswith(by_corpus[0]["kind"].replace("/", "-")))
        # Mended: they pass, and stay.
        self.sweep(self.build("-DMENDED"), *options, status=0)
        self.assertEqual({each["state"] for each in self.report["corpus"]["files"]}, {"passes"})
        self.sweep(self.build("-DMENDED"), *options, status=0, processes=4)
        self.assertEqual({each["why"] for each in self.report["corpus"]["files"]}, {"it is for 3 processes"})
        # The program does something else now: stale, and no failure.
        printed = self.sweep(self.build("-DMENDED", "-DTAG=7"), *options, status=0)
        self.assertIn("stale: rank 0 was to issue a wildcard receive with tag 0", printed)
        self.assertEqual(len(cases("skipped")), 2)
        self.assertEqual({file.name: file.read_bytes() for file in (self.folder / "kept").iterdir()}, kept)
        # A damaged file is refused before anything runs.
        (self.folder / "kept/broken.json").write_text("{")
        self.assertIn("kept/broken.json:1: this is not JSON", self.sweep(self.folder / "app", *options, status=2))

    def test_cache(self):
        options = ("--cache", "cache", "--cache-input", "input", "--trace", "trace.json")
        self.assertIn("cannot read input", self.sweep(self.build(), *options, status=2))
        (self.folder / "input").write_text("1")
        swept = self.sweep(self.build(), *options, status=1)
        self.assertIsNone(self.report["cached"])
        cached = self.sweep(self.folder / "app", *options, status=1)
        entry = self.report["cached"]
        self.assertTrue(entry.startswith("cache/app-n3-"))
        self.assertEqual(self.suite.find("properties/property[@name='dampi.cached']").get("value"), entry)
        self.assertTrue(self.sarif["runs"][0]["invocations"][0]["properties"]["cached"])
        self.assertIn("dampi: verdict: violations, cached (2 findings", cached)
        self.assertEqual([line for line in cached.splitlines() if line not in swept and "cache" not in line], [])
        decisions = sorted(file.name for file in (self.folder / "out/decisions").iterdir())
        self.assertEqual(decisions, ["deadlock-1.json", "leak-communicator-1.json"])
        self.assertIn("verdict: violations, cached", self.make_report("out"))
        # What passes is judged anew; what is named is looked at; a program that was built anew is swept anew.
        self.sweep(self.folder / "app", *options, "--fail-on", "hang", status=0)
        self.assertIsNotNone(self.report["cached"])
        (self.folder / "input").write_text("2")
        self.assertIn("the input input has changed", self.sweep(self.folder / "app", *options, status=1))
        printed = self.sweep(self.build("-DMENDED"), *options, status=0)
        self.assertIn("the program was built anew", printed)
        with open(self.folder / "input", "rb") as file:
            self.assertIn("the standard input is new",
                          self.sweep(self.folder / "app", "--cache", "cache", "--cache-input", "input", "--trace",
                                     "trace.json", status=0, stdin=file))
        # One that a bound has ended goes on with each command, until it is done.
        options = ("--cache", "cache", "--max-interleavings", "1")
        self.sweep(self.folder / "app", *options, status=3)
        goes_on = self.sweep(self.folder / "app", *options, status=0)
        self.assertIn("it goes on", goes_on)
        self.assertNotIn("its journal is now", goes_on)
        self.assertEqual(self.report["interleavings"]["explored"], 2)
        self.sweep(self.folder / "app", *options, status=0)
        self.assertIsNotNone(self.report["cached"])
        # In a suite, too. A damaged entry is refused, and what is there stays.
        (self.folder / "suite.json").write_text(
            json.dumps({"sweeps": [{"program": "./app", "processes": 4, "options": ["--buffering", "native"]}]}))
        self.assertNotIn("cached", self.suite_run("--cache", "cache", status=0))
        self.assertIn("verdict: clean, cached", self.suite_run("--cache", "cache", status=0))
        file = self.folder / self.report["cached"] / "entry"
        file.write_bytes(file.read_bytes() + b"x")
        before = (self.folder / "out/report.json").read_bytes()
        self.assertIn("entry:2: the file is damaged: remove cache/app-n3-", self.sweep(self.folder / "app", *options, status=2))
        self.assertEqual((self.folder / "out/report.json").read_bytes(), before)

    def make_report(self, *words, status=0):
        done = subprocess.run([Path(given.dampi_run).parent / "dampi-report", *words], cwd=self.folder,
                              capture_output=True, timeout=120)
        printed = os.fsdecode(done.stdout + done.stderr)
        self.assertEqual(done.returncode, status, printed)
        return printed

    def test_reports_are_made_later(self):
        printed = self.sweep(self.build(), "--trace", "trace.json", status=1)
        names = {"--junit": "junit.xml", "--sarif": "dampi.sarif", "--code-quality": "quality.json",
                 "--trace": "trace.json", "--html": "out/report.html", "--json": "out/report.json"}
        words = [word for option, name in names.items() for word in (option, "later-" + Path(name).name)]
        self.assertEqual(self.make_report(*words, "out"), printed)
        for name in names.values():
            later = self.folder / ("later-" + Path(name).name)
            self.assertEqual(later.read_bytes(), (self.folder / name).read_bytes(), name)
        # Of several together.
        self.sweep(self.folder / "app", "-o", "four", status=1, processes=4)
        self.make_report("-q", "--junit", "junit.xml", "--sarif", "dampi.sarif", "--code-quality", "quality.json", "--index",
                    "index.html", "out", "four")
        self.read_reports()
        suites = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot()
        self.assertEqual([suite.get("failures") for suite in suites], ["3", "3"])
        self.assertEqual(suites.get("failures"), "6")
        self.assertEqual([run["automationDetails"]["id"] for run in self.sarif["runs"]],
                         ["dampi/app-n3/", "dampi/app-n4/"])
        self.assertEqual(len(self.quality), 2)
        index = (self.folder / "index.html").read_text()
        self.assertIn('href="./out/report.html"', index)
        self.assertIn('href="./four/report.html"', index)
        # Those of a suite, by its directory.
        (self.folder / "suite.json").write_text(json.dumps({"sweeps": [
            {"program": "./app", "processes": [3, 4], "options": ["--max-interleavings", "1"]}]}))
        self.suite_run(status=1)
        self.make_report("-q", "--junit", "junit.xml", "--index", "dampi-suite/again.html", "dampi-suite")
        suites = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot()
        self.assertEqual([suite.get("name") for suite in suites],
                         ["dampi-run -n 3 ./app", "dampi-run -n 4 ./app"])
        self.assertEqual((self.folder / "dampi-suite/again.html").read_text(),
                         (self.folder / "dampi-suite/index.html").read_text())
        history = json.loads((self.folder / "dampi-suite/suite.json").read_text())
        history["sweeps"]["app-n3"]["status"] = 2
        (self.folder / "dampi-suite/suite.json").write_text(json.dumps(history))
        self.assertIn("app-n3 is left out: its dampi-run ended with exit status 2, see dampi-suite/app-n3.txt",
                      self.make_report("-q", "--html", "x.html", "dampi-suite"))
        self.assertIn("has no report.data", self.make_report("nowhere", status=2))
        self.assertIn("give one directory", self.make_report("--html", "x.html", "out", "four", status=2))

    def suite_run(self, *options, status):
        words = [given.dampi_run, "--suite", "suite.json", "--junit", "junit.xml", *options]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=300)
        printed = os.fsdecode(done.stdout + done.stderr)
        self.assertEqual(done.returncode, status, printed)
        return printed

    def test_suite(self):
        self.build()
        self.build("-DMENDED", name="mended.c")
        sweeps = [{"program": "./mended", "processes": [3, 4]},
                  {"name": "bad", "program": "./app", "processes": 3, "expect": ["leak/communicator", "deadlock"]},
                  {"name": "broken", "program": "./app", "processes": 2, "options": ["--engine", "central"],
                   "expect": ["clean"]}]
        suite = {"time_limit": 200, "options": ["--buffering", "native"], "sweeps": sweeps}
        file = self.folder / "suite.json"
        file.write_text(json.dumps({**suite, "sweeps": sweeps[:3] + [{"program": "./app"}]}, indent=1))
        self.assertIn("'processes' is missing", self.suite_run(status=2))
        self.assertFalse((self.folder / "dampi-suite").exists())
        file.write_text(json.dumps(suite, indent=1))
        # Where a sweep's directory cannot be had, the others are run.
        (self.folder / "dampi-suite").mkdir()
        (self.folder / "dampi-suite/broken-n2").write_text("in the way")
        printed = self.suite_run("--sarif", "dampi.sarif", status=2)
        self.assertIn("broken-n2", printed)
        self.assertIn("dampi: suite: 3 of 4 sweeps pass", printed)
        suites = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot()
        self.assertEqual([suites.get(name) for name in ("failures", "errors")], ["0", "1"])
        self.assertEqual(len(suites.findall("testsuite")), 4)
        sarif_schema.validate(json.loads((self.folder / "dampi.sarif").read_bytes()))
        self.assertIn('href="./bad-n3/report.html"', (self.folder / "dampi-suite/index.html").read_text())
        self.assertNotIn(str(self.folder), (self.folder / "dampi-suite/index.html").read_text())
        # What failed comes first, then what has changed, then the rest; where the time is over, it is left out.
        self.build("-DMENDED", "-DTAG=1", name="mended.c")
        printed = self.suite_run("-o", "dampi-suite", status=2)
        order = [line.split(":")[0] for line in printed.splitlines() if ": dampi-run -n" in line]
        self.assertEqual(order, ["broken-n2", "mended-n3", "mended-n4", "bad-n3"])
        suites = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot().findall("testsuite")
        self.assertEqual([suite.get("name") for suite in suites],
                         [f"dampi-run -n {words}" for words in ("3 ./mended", "4 ./mended", "3 ./app", "2 ./app")],
                         "the file tells them as the suite has them, whatever the order of the runs")
        file.write_text(json.dumps({**suite, "sweeps": sweeps[:1]}, indent=1))
        self.assertIn("left out: --time-limit", self.suite_run("--time-limit", "0.001", status=3))
        self.suite_run(status=0)
        self.assertIn("cannot be given with --suite", self.suite_run("--expect", "crash", status=2))

    def test_broken_suites(self):
        """All of a suite is looked at before anything is run or written."""
        self.build()
        (self.folder / "app.txt").write_text("no program")
        (self.folder / "broken.supp").write_text("\nnonsense fun:main # why\n")
        (self.folder / "new.json").write_text('{"schema": "dampi-report/9", "violations": []}')
        first = '[[sweeps]]\nname = "first"\nprogram = "./app"\nprocesses = 3\n'
        suite = self.folder / "suite.toml"
        for line, words, text in (
                (8, "unknown option '--bogus'", 'options = ["--seed", "1", "--bogus"]'),
                (8, "not 'soon'", 'options = ["--time-limit", "soon"]'),
                (8, "'native' is no option", 'options = ["--seed", "1", "native"]'),
                (8, "the last option lacks its value", 'options = ["--junit"]'),
                (8, "cannot have the options -n and -o", 'options = ["-qn4"]'),
                (8, "not 'dedlock'", 'expect = ["leak/*", "dedlock"]'),
                (9, "exclude each other", 'options = ["--baseline", "new.json"]\nexpect = ["deadlock"]'),
                (8, "broken.supp:2: 'nonsense' is no kind", 'options = ["--suppressions", "broken.supp"]'),
                (8, "new.json:1: this report.json has the schema", 'options = ["--baseline", "new.json"]'),
                (8, "the folder of nowhere/j.xml does not exist", 'options = ["--junit", "nowhere/j.xml"]'),
                (8, "needs the centralized engine", 'options = ["--buffering", "9", "--engine", "distributed"]'),
                (6, "there is no program ./nowhere", "./nowhere"),
                (6, "./app.txt", "./app.txt")):
            with self.subTest(text=text):
                program, last = (text, "") if text.startswith("./") else ("./app", text)
                suite.write_text(f'{first}[[sweeps]]\nprogram = "{program}"\nprocesses = 3\n{last}\n')
                words_of = [given.dampi_run, "--suite", "suite.toml", "--junit", "junit.xml"]
                done = subprocess.run(words_of, cwd=self.folder, capture_output=True, timeout=100)
                printed = os.fsdecode(done.stdout + done.stderr)
                self.assertEqual(done.returncode, 2, printed)
                self.assertIn(words, printed)
                self.assertRegex(printed, rf"^dampi-run: suite\.toml:{line}: ")
                self.assertFalse((self.folder / "dampi-suite").exists())
                self.assertFalse((self.folder / "junit.xml").exists())
        # So is one program with several numbers of processes.
        done = subprocess.run([given.dampi_run, "-n", "2,3", "./nowhere"], cwd=self.folder, capture_output=True, timeout=100)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"there is no program ./nowhere", done.stderr)
        self.assertFalse((self.folder / "dampi-suite").exists())

    def test_options_of_all_sweeps(self):
        """What a suite's command gives is for each sweep, as far as that says nothing else."""
        self.build()
        (self.folder / "live.supp").write_text("leak/* fun:main # known\ndeadlock fun:main # known\n")
        (self.folder / "suite.json").write_text(json.dumps({"options": ["--buffering", "native"], "sweeps": [
            {"program": "./app", "processes": 3},
            {"name": "own", "program": "./app", "processes": 3, "options": ["--suppressions", "none.supp"],
             "expect": ["deadlock", "leak/*"]}]}))
        (self.folder / "none.supp").write_text("crash fun:nobody # why\n")
        printed = self.suite_run("--suppressions", "live.supp", status=0)
        self.assertIn("violation: deadlock", printed.replace("violation 1 (suppressed)", "violation"))
        state = lambda sweep: [each["suppressed"] is not None for each in json.loads(
            (self.folder / "dampi-suite" / sweep / "report.json").read_bytes())["violations"]]
        self.assertEqual([state("app-n3"), state("own-n3")], [[True, True], [False, False]])
        # A baseline is none for what has an expectation of its own.
        shutil.copy(self.folder / "dampi-suite/app-n3/report.json", self.folder / "known.json")
        self.suite_run("--baseline", "known.json", "--fail-on", "new", "-v", status=0)
        self.assertIn("compared with known.json: 2 findings known", (self.folder / "dampi-suite/app-n3.txt").read_text())
        self.assertNotIn("compared with", (self.folder / "dampi-suite/own-n3.txt").read_text())
        # With -q only what does not pass is told, with -v all of it.
        self.assertEqual(len(self.suite_run("-q", "--baseline", "known.json", status=0).splitlines()), 1)
        printed = self.suite_run("-q", status=1)
        self.assertIn("app-n3: dampi-run", printed)
        self.assertNotIn("own-n3: dampi-run", printed)
        self.assertIn("interleaving 1:", self.suite_run("-v", status=1))

    def test_baseline(self):
        self.sweep(self.build(), status=1)
        kept = self.folder / "kept.json"
        shutil.copy(self.folder / "out/report.json", kept)
        options = ("--baseline", "kept.json")
        # Lines move: all is known.
        printed = self.sweep(self.build(before="/* a comment\n * of a few\n * lines */\n"), *options, status=0)
        self.assertIn("compared with kept.json: 2 findings known, 0 new, 0 gone", printed)
        self.assertIn("verdict: violations", printed)
        self.assertEqual(len(self.results("unchanged")), 2)
        self.assertEqual(len(self.suite.findall("testcase/skipped")), 3)
        self.assertTrue(all(each["known"] and not each["fails"] for each in self.report["violations"]))
        # With other ranks, too.
        self.sweep(self.build(), *options, status=0, processes=4)
        self.assertIn("deadlock", [each["ruleId"] for each in self.results("unchanged")])
        # Another fault is new.
        printed = self.sweep(self.build("-DANOTHER"), *options, status=1)
        self.assertIn("2 findings known, 1 new, 0 gone", printed)
        self.assertEqual([each["ruleId"] for each in self.results("new")], ["leak/datatype"])
        self.assertEqual(self.failures(), ["leak/datatype"])
        # The known ones are still part of what fails if that is asked for.
        self.sweep(self.build(), *options, "--fail-on", "new,deadlock", status=1)
        self.assertEqual([each["kind"] for each in self.report["violations"] if each["fails"]], ["deadlock"])
        self.sweep(self.build(), *options, "--fail-on", "all", status=1)
        self.sweep(self.build(), *options, "--fail-on", "error", status=0)
        # Mended.
        printed = self.sweep(self.build("-DMENDED"), *options, status=0)
        self.assertIn("0 findings known, 0 new, 2 gone", printed)
        self.assertEqual(sorted(each["kind"] for each in self.report["passing"]["gone"]),
                         ["deadlock", "leak/communicator"])
        self.assertEqual(len(self.results("absent")), 2)

    def test_what_fails(self):
        program = self.build()
        printed = self.sweep(program, "--fail-on", "leak/datatype,type/*", status=0)
        self.assertIn("exit status 0: no finding is one of those that fail", printed)
        self.sweep(program, "--fail-on", "leak/*", status=1)
        self.assertEqual([each["kind"] for each in self.report["violations"] if each["fails"]], ["leak/communicator"])
        # What is left out still counts where no finding does.
        self.sweep(program, "--fail-on", "hang", "--max-interleavings", "1", status=3)

    def test_expectations(self):
        program = self.build()
        self.sweep(program, "--expect", "deadlock,leak/*", status=0)
        self.assertFalse(any(each["fails"] for each in self.report["violations"]))
        self.assertTrue(all(result["suppressions"] for result in self.sarif["runs"][0]["results"]), "all are expected")
        self.assertEqual({entry["severity"] for entry in self.quality}, {"info"})
        self.sweep(program, "--expect", "deadlock", status=1)
        self.assertEqual(self.failures(), ["leak/communicator"])
        printed = self.sweep(self.build("-DMENDED"), "--expect", "deadlock", status=1)
        self.assertIn("expected and not found: deadlock", printed)
        self.assertEqual(self.report["passing"]["missing"], ["deadlock"])
        self.assertEqual(self.failures(), ["deadlock"])

    def test_suppressions(self):
        program = self.build()
        printed = self.sweep(program, "--gen-suppressions", status=1)
        lines = [line for line in printed.splitlines() if line.startswith(("deadlock fun:", "leak/communicator fun:"))]
        self.assertEqual(len(lines), 2, printed)
        live = self.folder / "live.supp"
        live.write_text("\n".join(lines) + "\ncrash fun:nobody # this one is for nothing\n")
        printed = self.sweep(program, "--suppressions", "live.supp", "--gen-suppressions", status=0)
        self.assertIn("suppressed by live.supp: 2 findings", printed)
        self.assertIn("line 3: crash fun:nobody: not used", printed)
        self.assertIn("violation 1 (suppressed): ", printed)
        self.assertIn("exit status 0: no finding is one of those that fail", printed)
        self.assertNotIn("for a file for --suppressions", printed)
        self.assertEqual(self.report["verdict"], "violations")
        self.assertTrue(all(each["suppressed"] and not each["fails"] for each in self.report["violations"]))
        self.assertEqual([each["findings"] for each in self.report["passing"]["suppressions"]], [1, 1, 0])
        self.assertTrue(all(each["suppressions"][0]["kind"] == "external" for each in self.results()))
        skipped = [case.find("skipped").get("message") for case in self.suite.findall("testcase")
                   if case.find("skipped") is not None and case.get("name") != "every interleaving"]
        self.assertEqual([message.startswith("suppressed (") for message in skipped], [True, True])
        self.assertEqual({entry["severity"] for entry in self.quality}, {"info"})
        live.write_text("leak/* fun:main # as long as it is not freed, until 2020-02\n")
        printed = self.sweep(self.build("-DMENDED"), "--suppressions", "live.supp", status=1)
        self.assertIn("exit status 1: a suppression has expired", printed)
        self.assertEqual(self.failures(), ["suppression"])
        case = self.suite.find("testcase/failure/..")
        self.assertEqual([case.get(name) for name in ("name", "file", "line")],
                         ["suppression: live.supp: leak/* fun:main", "live.supp", "1"])
        # In the source.
        source = (here / "programs/two_orders.c").read_text().splitlines()
        leaks = next(i for i, line in enumerate(source) if "MPI_Comm_dup" in line)
        source[leaks] += "  // dampi: allow leak/*"
        (self.folder / "allowed.c").write_text("\n".join(source))
        subprocess.run([given.mpicc, "-g", "-o", "allowed", "allowed.c"], cwd=self.folder, check=True, timeout=120)
        self.sweep(self.folder / "allowed", status=1)
        self.assertEqual(self.failures(), ["deadlock"])
        self.assertEqual([each["suppressed"] for each in self.report["violations"] if each["kind"] != "deadlock"],
                         ["allowed in the source"])
        (self.folder / "allowed.c").write_text("\n".join(source).replace("allow leak", "allow leek"))
        self.sweep(self.folder / "allowed", status=1)
        self.assertIn("suppression", self.failures())
        self.assertEqual(self.suite.find("testcase[@name='suppression: allowed.c: leek/*']").get("line"), str(leaks + 1))

    def test_causes(self):
        """What several ranks, runs and callers do alike is one finding; a wrapper's callers are told apart."""
        source = """
            #include <mpi.h>
            static void lose(int times) {
                MPI_Comm copy;
                for (int i = 0; i < times; ++i) MPI_Comm_dup(MPI_COMM_SELF, &copy);
            }
            int main(void) {
                int rank;
                MPI_Init(0, 0);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                lose(rank + 1);
                if (rank == 1) lose(1);
                MPI_Finalize();
                return rank + 1;
            }"""
        program = self.compile(source)
        printed = self.sweep(program, status=1)
        self.assertEqual(sorted(finding["kind"] for finding in self.report["violations"]),
                         ["exit", "leak/communicator", "leak/communicator"], printed)
        exit = next(finding for finding in self.report["violations"] if finding["kind"] == "exit")
        self.assertEqual(exit["message"], "ranks 0, 1 and 2 exited with statuses 1, 2, 3")
        self.assertEqual(exit["where"]["function"], "main")

        def check_leaks():
            leaks = [finding for finding in self.report["violations"] if finding["kind"] == "leak/communicator"]
            of_all, of_one = sorted(leaks, key=lambda leak: -len(leak["ranks"]))
            lines = source.splitlines()
            self.assertEqual([lines[leak["where"]["line"] - 1].strip() for leak in (of_all, of_one)],
                             ["lose(rank + 1);", "if (rank == 1) lose(1);"])
            self.assertEqual([leak["all_ranks"] for leak in (of_all, of_one)], [[0, 1, 2], [1]])
            self.assertEqual(sorted({(each["rank"], each["detail"]) for each in of_all["situations"]}),
                             [(0, "1 communicator"), (1, "2 communicators"), (2, "3 communicators")])
            self.assertTrue(all([frame["function"] for frame in each["stack"]] == ["lose", "main"]
                                for leak in leaks for each in leak["situations"]))

        check_leaks()
        self.sweep(program, "--wrapper", "lose", "--exit-ok", "1,2,3", status=1)
        self.assertEqual([each["kind"] for each in self.report["violations"]], ["leak/communicator"] * 2)
        check_leaks()

    def test_stacks_of_what_is_left(self):
        """Requests and messages that are left say from which function they come, with either engine."""
        source = """
            #include <mpi.h>
            static void lose_request(void) {
                static int into;
                MPI_Request request;
                MPI_Irecv(&into, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
            }
            static void lose_message(int to) { MPI_Send(&to, 1, MPI_INT, to, 2, MPI_COMM_WORLD); }
            int main(void) {
                int rank;
                MPI_Init(0, 0);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                if (rank == 1) lose_request();
                if (rank == 1) lose_message(0);
                MPI_Finalize();
                return 0;
            }"""
        program = self.compile(source)
        lines = source.splitlines()
        for engine in "central", "distributed":
            for wrappers in (), ("--wrapper", "lose_request", "--wrapper", "lose_message"):
                printed = self.sweep(program, "--engine", engine, *wrappers, status=1, processes=2)
                stacks = {each["kind"]: [frame["function"] for frame in each["situations"][0]["stack"]]
                          for each in self.report["violations"]}
                self.assertEqual(stacks, {"leak/request": ["lose_request", "main"],
                                          "leak/message": ["lose_message", "main"]}, printed)
                places = {each["kind"]: lines[each["where"]["line"] - 1].strip() for each in self.report["violations"]}
                self.assertEqual(places["leak/message"].startswith("if (rank == 1)"), bool(wrappers), printed)

    def test_callers_of_choices(self):
        """The choices that lead to a finding are told at their callers, where a function only passes them on."""
        source = """
            #include <assert.h>
            #include <mpi.h>
            static int take(void) {
                int number;
                MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                return number;
            }
            static int first(void) {
                return take();
            }
            static int second(void) {
                return take();
            }
            int main(void) {
                int rank;
                MPI_Init(0, 0);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                if (rank == 0) {
                    int one = first();
                    int other = second();
                    assert(one < other);
                } else {
                    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
                }
                MPI_Finalize();
                return 0;
            }"""
        program = self.compile(source)
        lines = source.splitlines()
        for engine in "central", "distributed":
            for wrappers in (), ("--wrapper", "take", "--wrapper", "first"):
                printed = self.sweep(program, "--engine", engine, *wrappers, status=1)
                crash = next(finding for finding in self.report["violations"] if finding["kind"] == "crash")
                choice = next(epoch for epoch in crash["epochs"] if epoch["alternatives"])
                self.assertEqual([frame["function"] for frame in choice["stack"]], ["take", "first", "main"], printed)
                self.assertEqual(lines[choice["where"]["line"] - 1].strip(),
                                 "int one = first();" if wrappers else "return take();", printed)
                self.assertEqual(choice["where"]["function"], "main" if wrappers else "first")
                self.assertIn("      in take (app.c:6) < first (app.c:10) < main (app.c:20)\n", printed)
                self.assertNotIn("names no function", printed)

    def compile(self, source, name="app.c"):
        (self.folder / name).write_text(source)
        program = (self.folder / name).with_suffix("")
        subprocess.run([given.mpicc, "-g", "-o", program, self.folder / name], check=True, timeout=120)
        return program

    def test_severities(self):
        """What only a library without buffers would do is a matter of portability."""
        program = self.compile("""
            #include <mpi.h>
            int main(void) {
                int rank, value = 0;
                MPI_Init(0, 0);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
                MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Finalize();
                return 0;
            }""")
        both = ("--buffering", "both")
        printed = self.sweep(program, *both, status=1, processes=2)
        self.assertEqual([(each["kind"], each["severity"]) for each in self.report["violations"]],
                         [("deadlock", "portability")])
        self.assertIn("severity: portability; this MPI library buffers what is sent, another one need not", printed)
        self.assertEqual([each["level"] for each in self.results()], ["warning"])
        self.assertEqual([each["severity"] for each in self.quality], ["minor"])
        self.sweep(program, *both, "--fail-on", "error", status=0, processes=2)
        self.sweep(program, "--buffering", "zero", "--fail-on", "error", status=1, processes=2)
        self.assertIn("a severity (error, portability, warning)",
                      self.sweep(program, "--fail-on", "errors", status=2, processes=2))

    def test_minimize(self):
        """Of the choices that lead to a deadlock the one that it needs is found, by runs without the others."""
        program = self.compile("""
            #include <mpi.h>
            static void take(int from, int tag) {
                int value;
                MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            int main(void) {
                int rank;
                MPI_Init(0, 0);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                for (int tag = 1; tag < 4; ++tag) {
                    if (rank == 0) {
                        take(MPI_ANY_SOURCE, tag);
                        take(tag == 2 ? 2 : MPI_ANY_SOURCE, tag);
                    } else {
                        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
                    }
                }
                MPI_Finalize();
                return 0;
            }""")
        printed = self.sweep(program, "--minimize", status=1)
        finding, = self.report["violations"]
        needed = finding["needed"]
        self.assertEqual((finding["kind"], needed["choices"], needed["all_tried"]),
                         ("deadlock", [{"rank": 0, "index": 2}], True), printed)
        kept = self.folder / "out" / needed["decisions"]
        self.assertEqual(kept.name, "deadlock-1-needed.json")
        self.assertIn("needed", printed)
        kept.rename(self.folder / "needed.json")
        done = subprocess.run([given.dampi_run, "-n", "3", "--replay", "needed.json", program], cwd=self.folder,
                              capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 1, os.fsdecode(done.stdout + done.stderr))

    def test_several_numbers_of_processes(self):
        """-n 2,3,4 is a sweep for each, with one status and one report of all."""
        words = [given.dampi_run, "-n", "2,3,4", "-o", "all", "--buffering", "native", "--junit", "junit.xml",
                 self.build("-DMENDED")]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1, os.fsdecode(done.stdout + done.stderr))
        found = {}
        for file in (self.folder / "all").glob("*/report.json"):
            report = json.loads(file.read_bytes())
            report_schema.validate(report)
            found[report["processes"]] = sorted(each["kind"] for each in report["violations"])
        self.assertEqual(found, {2: ["deadlock"], 3: [], 4: []})
        suites = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot().findall("testsuite")
        self.assertEqual([suite.get("failures") for suite in suites], ["2", "0", "0"])
        cases = [(case.get("classname"), case.get("name")) for suite in suites for case in suite.iter("testcase")]
        self.assertEqual(len(set(cases)), len(cases), "each case is another test for whoever reads the file")
        self.assertTrue((self.folder / "all/index.html").exists())

    def test_trace(self):
        for flags, status, slices in ((["-DMENDED"], 0, 1), ([], 1, 4)):
            self.sweep(self.build(*flags), "--trace", "trace.json", status=status)
            events = json.loads((self.folder / "trace.json").read_bytes())["traceEvents"]
            self.assertGreaterEqual(len([event for event in events if event["ph"] == "X"]), slices)
            self.assertEqual(self.check_trace(events), status == 1)

    def check_trace(self, events):
        """The rules of Chrome's trace event format, as far as such events go; whether there are arrows."""
        slices, flows, last = {}, {}, {}
        for event in events:
            self.assertTrue({"ph", "name", "pid", "tid"} <= set(event), event)
            self.assertIsInstance(event["name"], str)
            self.assertTrue(all(type(event[key]) is int and event[key] > 0 for key in ("pid", "tid")), event)
            self.assertIn(event["ph"], "MXsf")
            track = event["pid"], event["tid"]
            if event["ph"] == "M":
                self.assertIn(event["name"], ("process_name", "thread_name"))
                self.assertEqual(list(event["args"]), ["name"])
                self.assertFalse(slices, "names come first")
                continue
            self.assertTrue(type(event["ts"]) is int and event["ts"] >= last.get(track, 0), "times of a thread go on")
            last[track] = event["ts"]
            if event["ph"] == "X":
                self.assertTrue(type(event["dur"]) is int and event["dur"] > 0, event)
                begin, end = event["ts"], event["ts"] + event["dur"]
                for other_begin, other_end in slices.setdefault(track, []):
                    self.assertTrue(end <= other_begin or other_end <= begin or begin <= other_begin <= other_end <= end
                                    or other_begin <= begin <= end <= other_end, "slices of a thread nest")
                slices[track].append((begin, end))
            else:
                flows.setdefault((event["cat"], event["name"], event["id"]), []).append(event)
        for ends in flows.values():
            self.assertEqual(sorted(end["ph"] for end in ends), ["f", "s"], "an arrow has two ends")
            begin, end = sorted(ends, key=lambda event: event["ph"] != "s")
            self.assertLess(begin["ts"], end["ts"])
            self.assertEqual(end["bp"], "e")
            for each in ends:
                self.assertTrue(any(first <= each["ts"] < after for first, after in slices[each["pid"], each["tid"]]),
                                "an end lies in a slice")
        return bool(flows)

    def test_hostile_names(self):
        for name in (b'a "b" <c> &amp; %20.c', "ü 'q' #?.c".encode(), b"\xff\xfe\x01 \xed\xa0\x80.c"):
            with self.subTest(name=name):
                self.sweep(self.build(name=name), status=1)
                place = self.results()[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                self.assertNotRegex(place, r'[ "<>#?\x00-\x1f\x7f-\uffff]')

    def test_unusable_files(self):
        program = self.build()
        self.sweep(program, status=1)
        before = (self.folder / "out/report.json").read_bytes()
        (self.folder / "text.json").write_text("no json")
        (self.folder / "other.json").write_text('{"schema": "else", "violations": []}')
        (self.folder / "old.json").write_text('{"schema": "dampi-report/3", "violations": [{"kind": "crash"}]}')
        (self.folder / "newer.json").write_text('{"schema": "dampi-report/9", "violations": []}')
        (self.folder / "later.supp").write_text("crash fun:main # why, until tomorrow")
        for options, words in ((("--junit", "nowhere/j.xml"), "folder of nowhere/j.xml does not exist"),
                               (("--baseline", "nowhere.json"), "nowhere.json cannot be read"),
                               (("--baseline", "."), "the baseline . cannot be read"),
                               (("--baseline", "text.json"), "the baseline cannot be used: text.json:1: this is not JSON"),
                               (("--suppressions", "text.json"), "text.json:1: 'no' is no kind of violation"),
                               (("--suppressions", "nowhere"), "nowhere: the file of suppressions cannot be read"),
                               (("--baseline", "other.json"), "other.json:1: this is no report.json"),
                               (("--baseline", "old.json"), "old.json:1: this is no report.json"),
                               (("--baseline", "newer.json"), "newer.json:1: this report.json has the schema"),
                               (("--suppressions", "later.supp"), "later.supp:1: behind 'until' stands a day"),
                               (("--fail-on", "deadlok"), "not 'deadlok'"),
                               (("--fail-on", ""), "not ''"),
                               (("--expect", "clean"), "leave it out"),
                               (("--expect", "crash", "--fail-on", "all"), "exclude each other"),
                               (("--fail-on", "new"), "--fail-on new needs --baseline")):
            with self.subTest(options=options):
                self.assertIn(words, self.sweep(program, *options, status=2))
        self.assertEqual((self.folder / "out/report.json").read_bytes(), before)

    def test_going_on(self):
        """The reports are those of the command that goes on, and need not be those of the sweep."""
        self.sweep(self.build(), "--max-interleavings", "1", status=1)
        for name in ("junit.xml", "dampi.sarif", "quality.json"):
            (self.folder / name).unlink()
        subprocess.run([given.dampi_run, "--resume", "out", "--max-interleavings", "none", "--junit", "junit.xml"],
                       cwd=self.folder, timeout=300, capture_output=True)
        self.assertEqual(len(xml.etree.ElementTree.parse(self.folder / "junit.xml").findall(".//failure")), 3)
        self.assertFalse((self.folder / "dampi.sarif").exists())


unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
