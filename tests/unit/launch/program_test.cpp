// What may be verified and what is refused, each refusal with its reason.
#include "launch/program/program.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;

fs::path built(const std::string& name) { return fs::path(DAMPI_TEST_PROGRAMS) / name; }

std::string refusal(const std::string& name) {
    try {
        (void)inspect_program(name);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

#define EXPECT_REFUSED(name, reason) EXPECT_NE(refusal(name).find(reason), std::string::npos) << refusal(name)

class ProgramTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "dampi-program-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path make(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        fs::permissions(folder_ / name, fs::perms::owner_all);
        return folder_ / name;
    }
    fs::path folder_;
};

TEST_F(ProgramTest, AcceptsAnMpichProgram) {
    const Program program = inspect_program(built("mpi_behaviour"));
    EXPECT_EQ(program.path, built("mpi_behaviour"));
    EXPECT_EQ(program.mpi_library.filename(), "libmpich.so.12");
    EXPECT_FALSE(program.fingerprint.empty());
    EXPECT_FALSE(program.uses_mpi_f08);
    EXPECT_EQ(std::count(program.mpich_version.begin(), program.mpich_version.end(), '.'), 2) << program.mpich_version;
    EXPECT_FALSE(program.has_windows);
    EXPECT_FALSE(program.observes_node);
    EXPECT_FALSE(program.observes_topology);
}

TEST_F(ProgramTest, SeesWhatTheProgramImports) {
    EXPECT_TRUE(inspect_program(built("mpi_fences")).has_windows);
    EXPECT_FALSE(inspect_program(built("mpi_fences")).observes_node);
    EXPECT_TRUE(inspect_program(built("mpi_shared_window")).observes_node);
    const Program program = inspect_program(built("mpi_window"));
    EXPECT_TRUE(program.observes_node);
    EXPECT_TRUE(program.observes_topology);
}

TEST_F(ProgramTest, IgnoresWhatIsPreloaded) {
    ::setenv("LD_PRELOAD", built("libmpi.so.40").c_str(), 1);
    const std::string answer = refusal(built("mpi_behaviour"));
    ::unsetenv("LD_PRELOAD");
    EXPECT_EQ(answer, "accepted");
}

TEST_F(ProgramTest, RefusesWhatIsNoProgram) {
    EXPECT_REFUSED("", "no program is named");
    EXPECT_REFUSED((folder_ / "nothing").string(), "there is no program");
    EXPECT_REFUSED("dampi_nothing_of_this_name", "neither in the working directory nor in PATH");
    EXPECT_REFUSED(folder_.string(), "is a directory");
    EXPECT_REFUSED("/dev/null", "not a regular file");
    const fs::path closed = make("closed", "x");
    fs::permissions(closed, fs::perms::owner_read);
    EXPECT_REFUSED(closed.string(), "not executable");
    EXPECT_REFUSED(make("script", "#!/no/such/shell\n").string(), "a script for /no/such/shell, which is missing");
    EXPECT_REFUSED(make("bare_script", "#!\n").string(), "names no program");
    EXPECT_REFUSED(make("env_script", "#!/usr/bin/env dampi_nothing_of_this_name\n").string(), "nor in PATH");
    EXPECT_REFUSED(make("text", "some text").string(), "no ELF file");
    EXPECT_REFUSED(make("empty", "").string(), "no ELF file");
    EXPECT_REFUSED(built("libmpi.so.40").string(), "is a shared library");
}

TEST_F(ProgramTest, RefusesProgramsThatCannotBeVerified) {
    EXPECT_REFUSED(built("plain_static").string(), "statically linked");
    EXPECT_REFUSED(built("plain_static_pie").string(), "statically linked");
    EXPECT_REFUSED(built("other_mpi").string(), "Open MPI");
    EXPECT_REFUSED(built("library_missing").string(), "libdampi_absent.so.1");
}

TEST_F(ProgramTest, ProgramsMayLoadMpiAtRunTime) {
    const Program program = inspect_program(built("plain"));
    EXPECT_TRUE(program.mpi_at_run_time);
    EXPECT_TRUE(program.mpi_library.empty());
    // Nothing is known of what it will do.
    EXPECT_TRUE(program.observes_node);
    EXPECT_TRUE(program.observes_topology);
    EXPECT_FALSE(inspect_program(built("mpi_behaviour")).mpi_at_run_time);
}

TEST_F(ProgramTest, ScriptsAreLookedAtWithTheirInterpreter) {
    const std::string interpreter = built("plain");
    const std::string script = make("script", "#! " + interpreter + " -x\n").string();
    const Program program = inspect_program(script);
    EXPECT_TRUE(program.mpi_at_run_time);
    EXPECT_EQ(program.path, script);
    EXPECT_NE(program.fingerprint.find(inspect_program(interpreter).fingerprint), std::string::npos);
    EXPECT_TRUE(inspect_program(make("env", "#!/usr/bin/env -S A=b sh\n")).mpi_at_run_time);
    EXPECT_TRUE(inspect_program(make("mpi", "#!" + built("mpi_behaviour").string() + "\n")).mpi_at_run_time);
    EXPECT_REFUSED(make("static", "#!" + built("plain_static").string() + "\n").string(), "statically linked");
    make("other", "#!" + script + "\n");
    EXPECT_TRUE(inspect_program(folder_ / "other").mpi_at_run_time);
    make("itself", "#!" + (folder_ / "itself").string() + "\n");
    EXPECT_REFUSED((folder_ / "itself").string(), "and so on");
}

TEST_F(ProgramTest, FingerprintOfAnInterpreterCoversItsScript) {
    const std::string script = make("script.py", "1").string();
    const auto fingerprint = [&] { return inspect_program(built("plain"), {}, {"-u", script, "x"}).fingerprint; };
    const std::string original = fingerprint();
    EXPECT_EQ(fingerprint(), original);
    EXPECT_NE(inspect_program(built("plain")).fingerprint, original);
    make("script.py", "2");
    EXPECT_NE(fingerprint(), original);
    // Not for a program that is linked against MPI: its arguments may name what it writes.
    EXPECT_EQ(inspect_program(built("mpi_behaviour"), {}, {script}).fingerprint,
              inspect_program(built("mpi_behaviour")).fingerprint);
}

TEST_F(ProgramTest, SurvivesDamagedFiles) {
    std::ifstream file(built("mpi_behaviour"), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (std::size_t size = 1; size < 1200; size += 37) {
        EXPECT_NE(refusal(make("cut" + std::to_string(size), whole.substr(0, size)).string()), "accepted") << size;
    }
    std::string other = whole;
    other[18] = 40;  // e_machine: 32-bit ARM
    other[19] = 0;
    EXPECT_REFUSED(make("other_machine", other).string(), "another machine");
}

TEST_F(ProgramTest, FindsProgramsAsAShellDoes) {
    const std::string path = ::getenv("PATH") != nullptr ? ::getenv("PATH") : "";
    ::setenv("PATH", (folder_.string() + ":" + DAMPI_TEST_PROGRAMS).c_str(), 1);
    fs::create_directory(folder_ / "mpi_behaviour");  // a folder is not what is meant
    const std::string found = inspect_program("mpi_behaviour").path;
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(found, built("mpi_behaviour"));
}

TEST_F(ProgramTest, FingerprintFollowsTheContent) {
    fs::copy_file(built("mpi_behaviour"), folder_ / "copy");
    const std::string original = inspect_program(built("mpi_behaviour")).fingerprint;
    EXPECT_EQ(inspect_program(folder_ / "copy").fingerprint, original);
    std::ofstream(folder_ / "copy", std::ios::app) << '\0';
    EXPECT_NE(inspect_program(folder_ / "copy").fingerprint, original);
}

TEST_F(ProgramTest, BuildsAreToldApart) {
    const std::string one = build_fingerprint(built("mpi_behaviour"));
    EXPECT_EQ(one.size(), 40U);  // the linker's id
    EXPECT_NE(one, build_fingerprint(built("mpi_window")));
    fs::copy_file(built("mpi_behaviour"), folder_ / "copy");
    EXPECT_EQ(build_fingerprint(folder_ / "copy"), one);
    // Without an id, by the content.
    EXPECT_EQ(build_fingerprint(make("a", "text")), build_fingerprint(make("b", "text")));
    EXPECT_NE(build_fingerprint(make("a", "text")), build_fingerprint(make("b", "texts")));
    EXPECT_THROW(build_fingerprint(folder_ / "none"), Error);
}

}  // namespace
}  // namespace dampi::launch
