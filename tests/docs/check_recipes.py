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

# What CMake must find, as it calls it, and the package of Spack's that has it.
spack_packages = {
    "C": "c", "CXX": "cxx", "PkgConfig": "pkgconfig", "Mpich": "mpich", "CLI11": "cli11", "fmt": "fmt",
    "nlohmann_json": "nlohmann-json", "toml++/toml.h": "tomlplusplus", "pugixml": "pugixml", "libdw": "elfutils",
    "libelf": "elfutils", "Boost": "boost", "TBB": "intel-oneapi-tbb", "ZLIB": "zlib-api", "xxhash.h": "xxhash",
    "nettle": "nettle", "Zydis/Zydis.h": "zydis"}


def needed_by(cmake):
    """What a file of CMake's must find. What it looks for and ends without (FATAL_ERROR) is among it."""
    cmake = re.sub(r"#.*", "", cmake)
    for languages in re.findall(r"^project\([^)]*LANGUAGES ([^)]*)\)", cmake, re.M):
        yield from languages.split()
    for words in re.findall(r"find_package\(([^)]*\bREQUIRED\b[^)]*)\)", cmake):
        yield words.split()[0]
    for words in re.findall(r"pkg_check_modules\(\w+ REQUIRED ([^)]*)\)", cmake):
        yield from words.split()
    for variable, words in re.findall(r"find_(?:path|program|library|file)\((\w+) ([^)]*)\)", cmake):
        if "REQUIRED" in words.split() or re.search(rf"if\(NOT {variable}\)\s*message\(FATAL_ERROR", cmake):
            yield words.replace("NAMES ", "").split()[0]


folders = [path for path in sorted(root.iterdir())
           if path.is_dir() and path.name not in ("tests", "examples", "build") and not path.name.startswith(".")]
needed = {name: path.relative_to(root)
          for path in [root / "CMakeLists.txt", *(file for each in folders for file in sorted(each.rglob("CMakeLists.txt")))]
          for name in needed_by(path.read_text())}
require(len(needed) >= 10, f"CMake's files are not understood: {sorted(needed)}")
compile(recipes["spack-package.py"], "spack-package.py", "exec")
depends = {re.split("[@+ ]", words)[0] for words in re.findall(r'depends_on\("([^"]*)"', recipes["spack-package.py"])}
for name, path in needed.items():
    require(name in spack_packages, f"check_recipes.py: which package of Spack's has {name}, which {path} needs?")
    require(spack_packages.get(name) in depends, f"spack-package.py: {path} needs {name} ({spack_packages.get(name)})")
for name in depends - {spack_packages[name] for name in needed if name in spack_packages} - {"cmake", "ninja"}:
    troubles.append(f"spack-package.py: nothing in CMake needs {name}")
version = re.search(r"cmake_minimum_required\(VERSION (\d+\.\d+)[.)]", (root / "CMakeLists.txt").read_text()).group(1)
require(f'"cmake@{version}:"' in recipes["spack-package.py"], f"spack-package.py: dampi needs CMake {version}")
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

# A job that fails is looked at by its artifacts.
for name in ("github-workflow.yml", "gitlab-ci.yml"):
    kept = recipes[name][recipes[name].rindex("artifact"):]
    for file in ("dampi.xml", "dampi-out", "build/project/ctest.xml", "build/project/**/dampi/*/report.html",
                 "build/project/**/dampi/*/decisions"):
        require(re.search(rf"(?<!\S){re.escape(file)}", kept), f"{name}: {file} is no artifact")

print("\n".join(troubles))
sys.exit(1 if troubles else 0)
