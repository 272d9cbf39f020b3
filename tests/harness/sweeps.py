"""For tests that compare sweeps: what is found wrong, where their files are, and what of a report must be the same."""
import json
import os
import subprocess

failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED: {what}")


def empty_folder(path):
    """Its path; it is made by dampi-run."""
    subprocess.run(["rm", "-rf", path], check=True)
    return path


def report_of(out):
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        return json.load(file)


def what_counts(report):
    """What must not depend on who has run the interleavings; of the findings all but their order."""
    outcomes = sorted((each["buffering"], json.dumps(each["outcomes"]), tuple(each["verdicts"]))
                      for each in report["outcomes"])
    return {"verdict": report["verdict"], "complete": report["complete"],
            "explored": report["interleavings"]["explored"], "duplicates": report["interleavings"]["duplicates"],
            "pending": report["interleavings"]["pending"], "outcomes": outcomes,
            "findings": sorted((each["kind"], each["message"]) for each in report["violations"]),
            "doubts": len(report["doubts"])}


def differences(expected, report, keys=None):
    """Of what_counts(), or of these keys of it; as texts."""
    want, have = what_counts(expected), what_counts(report)
    return [f"{key}: {str(have[key])[:300]} instead of {str(want[key])[:300]}" for key in keys or want
            if want[key] != have[key]]
