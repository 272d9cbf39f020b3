"""The recipes in docs/ci: that their syntax is right, and that the options of dampi-run in them and the files of dampi
that they name exist. Usage: check_recipes.py ROOT"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
folder = root / "docs" / "ci"
troubles = []


def require(what, trouble):
    if not what:
        troubles.append(trouble)


known = set(re.findall(r"--?[a-z][a-z-]*", " ".join(
    re.findall(r'OPTION\(\w+, \w+, "([^"]*)"', (root / "scheduler/cli/options.def").read_text()))))
require("--max-interleavings" in known and "-n" in known, "options.def is not understood")
recipes = {path.name: path.read_text() for path in sorted(folder.iterdir())}
require(set(recipes) == {"Containerfile", "github-workflow.yml", "gitlab-ci.yml", "spack-package.py"},
        f"other recipes than are checked here: {sorted(recipes)}")
for name, text in recipes.items():
    for command in re.findall(r"^\W*(?:run: )?(?:.* )?dampi-run (.*)$", text, re.M):
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", command):
            require(option in known, f"{name}: dampi-run has no {option}")
    for file in re.findall(r"dampi/(cmake/\S+)", text):
        require((root / file).is_file(), f"{name}: there is no {file}")

compile(recipes["spack-package.py"], "spack-package.py", "exec")
needed = re.search(r"cmake_minimum_required\(VERSION (\d+\.\d+)[.)]", (root / "CMakeLists.txt").read_text()).group(1)
require(f'"cmake@{needed}:"' in recipes["spack-package.py"], f"spack-package.py: dampi needs CMake {needed}")
instructions = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", recipes["Containerfile"], flags=re.M))
for line in filter(None, instructions.split("\n")):
    require(re.match(r"(FROM|COPY|RUN|USER|WORKDIR) \S", line), f"Containerfile: {line}")
require(instructions.startswith("FROM ") and "\nUSER user" in instructions, "Containerfile: not as a plain user")

try:
    import yaml
except ImportError:
    print("without python3-yaml: what is YAML is not parsed")
else:
    workflow = yaml.safe_load(recipes["github-workflow.yml"])
    require({"name", "jobs"} <= set(workflow), "github-workflow.yml: no name or no jobs")
    for job in workflow["jobs"].values():
        require("runs-on" in job, "github-workflow.yml: runs-on is missing")
        for step in job["steps"]:
            require(("run" in step) != ("uses" in step), f"github-workflow.yml: {step}")
            require(set(step) <= {"name", "run", "uses", "with", "if"}, f"github-workflow.yml: {step}")
    job = yaml.safe_load(recipes["gitlab-ci.yml"])["verify"]
    require(all(isinstance(line, str) for line in job["script"]), "gitlab-ci.yml: script")
    require(set(job["artifacts"]["reports"]) == {"junit", "codequality"}, "gitlab-ci.yml: reports")

print("\n".join(troubles))
sys.exit(1 if troubles else 0)
