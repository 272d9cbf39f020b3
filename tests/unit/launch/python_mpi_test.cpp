#include "launch/program/python_mpi.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;

void touch(const fs::path& file) { const std::ofstream out(file); }

class PythonMpi : public ::testing::Test {
public:
    PythonMpi() : folder_(fs::temp_directory_path() / ("dampi_python_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~PythonMpi() override { fs::remove_all(folder_); }
    PythonMpi(const PythonMpi&) = delete;
    PythonMpi& operator=(const PythonMpi&) = delete;

protected:
    /// An mpi4py in `directory`; its extension module.
    fs::path install(const std::string& directory) const {
        const fs::path package = folder_ / directory / "mpi4py";
        fs::create_directories(package);
        touch(package / "__init__.py");
        touch(package / "dl.cpython-311.so");
        touch(package / "MPI.cpython-311.so");
        return package / "MPI.cpython-311.so";
    }
    /// What an interpreter below bin/ finds with this path and home directory.
    [[nodiscard]] fs::path found(const std::string& interpreter, const std::string& path = "",
                                 const std::string& home = "home") const {
        fs::create_directories(folder_ / "bin");
        touch(folder_ / "bin" / interpreter);
        return mpi4py_of(folder_ / "bin" / interpreter, {{"PYTHONPATH", path}, {"HOME", folder_ / home}});
    }

    fs::path folder_;
};

TEST_F(PythonMpi, IsFoundBesideTheInterpreter) {
    EXPECT_EQ(found("python3"), "");
    const fs::path extension = install("lib/python3.11/site-packages");
    EXPECT_EQ(found("python3"), extension);
    EXPECT_EQ(found("python3.11"), extension);
    EXPECT_EQ(found("perl"), "");
}

TEST_F(PythonMpi, TheUsersComesFirst) {
    install("lib/python3.11/site-packages");
    const fs::path users = install("home/.local/lib/python3.11/site-packages");
    EXPECT_EQ(found("python3"), users);
    const fs::path named = install("named");
    install("named_later");
    EXPECT_EQ(found("python3", (folder_ / "nothing").string() + "::" + (folder_ / "named").string() + ":" +
                                   (folder_ / "named_later").string()),
              named);
}

TEST_F(PythonMpi, TheNewestVersionIsLookedAtFirst) {
    install("lib/python3.11/site-packages");
    const fs::path newer = install("lib/python3.12/site-packages");
    EXPECT_EQ(found("python3"), newer);
}

TEST_F(PythonMpi, AVirtualEnvironmentIsBesideTheLink) {
    const fs::path own = install("venv/lib/python3.11/site-packages");
    const fs::path real = install("lib/python3.11/site-packages");
    EXPECT_EQ(found("python3"), real);
    fs::create_directories(folder_ / "venv/bin");
    fs::create_symlink(folder_ / "bin/python3", folder_ / "venv/bin/python3");
    EXPECT_EQ(mpi4py_of(folder_ / "venv/bin/python3", {{"PYTHONPATH", ""}, {"HOME", folder_ / "home"}}), own);
    fs::remove_all(folder_ / "venv/lib");
    EXPECT_EQ(mpi4py_of(folder_ / "venv/bin/python3", {{"PYTHONPATH", ""}, {"HOME", folder_ / "home"}}), real);
}

}  // namespace
}  // namespace dampi::launch
