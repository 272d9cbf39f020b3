# A recipe for Spack 1.0 or later, with its usual packages: copy it to packages/dampi/package.py of a repository of
# yours, and say there where dampi's sources are (git, or a url with its checksum).
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Dampi(CMakePackage):
    """Runs an MPI program under every feasible outcome of its nondeterministic calls, and reports deadlocks,
    crashes and leaks, each with a file that replays it."""

    # git = "..."
    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpich@4:")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("tomlplusplus")
    depends_on("pugixml")
    depends_on("elfutils")
    depends_on("boost+serialization")
    depends_on("intel-oneapi-tbb")
    depends_on("zlib-api")
    depends_on("xxhash")
    depends_on("nettle")
    depends_on("zydis")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]
