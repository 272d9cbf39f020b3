// Which MPI library the ranks get, and the reason that is given.
#include "launch/program/mpi_library.hpp"

#include "base/check.hpp"
#include "launch/transport.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;

fs::path built(const std::string& name) { return fs::path(DAMPI_TEST_PROGRAMS) / name; }

class MpiLibraryTest : public ::testing::Test {
protected:
    void SetUp() override {
        ::unsetenv("LD_LIBRARY_PATH");
        prefer("mpich_patched");
    }
    /// What "auto" finds; a name of nothing is nowhere.
    static void prefer(const std::string& prefix) {
        ::setenv("DAMPI_MPICH", prefix.empty() ? "" : built(prefix).c_str(), 1);
    }
    static MpiLibrary chosen(const std::string& program, const std::string& wish = automatic_mpi) {
        return choose_mpi_library(inspect_program(built(program)), wish, true);
    }
    static void expect_own(const MpiLibrary& library, const std::string& why) {
        EXPECT_FALSE(library.patched);
        EXPECT_TRUE(library.directory.empty());
        EXPECT_EQ(library.path.filename(), "libmpich.so.12");
        EXPECT_NE(library.path.parent_path(), built("mpich_patched/lib"));
        EXPECT_NE(library.why.find(why), std::string::npos) << library.why;
    }
    static std::string refusal(const std::string& program, const std::string& wish) {
        try {
            (void)chosen(program, wish);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    }
};

TEST_F(MpiLibraryTest, ThePatchedOneIsTakenWhereItIsInstalled) {
    const MpiLibrary library = chosen("plain_with_mpi");
    EXPECT_TRUE(library.patched);
    EXPECT_EQ(library.path, built("mpich_patched/lib/libmpich.so.12"));
    EXPECT_EQ(library.directory, built("mpich_patched/lib"));
    EXPECT_EQ(library_path(library, ""), library.directory.string());
    EXPECT_EQ(library_path(library, "/a:/b"), library.directory.string() + ":/a:/b");
}

TEST_F(MpiLibraryTest, NobodyHasToInstallIt) {
    prefer("");
    expect_own(chosen("plain_with_mpi"), "DAMPI_MPICH is empty");
    prefer("no_such_place");
    expect_own(chosen("plain_with_mpi"), "no patched one is in " + built("no_such_place").string());
    ::unsetenv("DAMPI_MPICH");
    ::setenv("HOME", "/home/of/nobody", 1);
    EXPECT_EQ(patched_mpi_prefix(), "/home/of/nobody/.local/share/dampi/mpich");
    expect_own(chosen("plain_with_mpi"), "no patched one is in /home/of/nobody");
    const MpiLibrary own = chosen("plain_with_mpi");
    EXPECT_EQ(library_path(own, "/a"), "/a");
}

TEST_F(MpiLibraryTest, ProgramsThatCouldTellKeepTheirOwn) {
    expect_own(chosen("mpi_window"), "MPI_Comm_split_type");
    expect_own(chosen("mpi_locks"), "MPI_Win_");
    expect_own(chosen("mpi_shared_window"), "MPI_Win_allocate_shared");
    EXPECT_TRUE(chosen("mpi_fences").patched);
    expect_own(chosen("mpi_large_count"), "MPI_Bcast_c");
    expect_own(chosen("mpi_bound"), "an RPATH");
    expect_own(choose_mpi_library(inspect_program(built("plain_with_mpi")), automatic_mpi, false),
               "another process manager");
    prefer("mpich_older");
    expect_own(chosen("plain_with_mpi"), "it lacks PMPI_");

    Program late{.path = "/bin/sh", .mpi_at_run_time = true};
    EXPECT_NE(choose_mpi_library(late, automatic_mpi, true).why.find("at run time"), std::string::npos);
    Program contained{.path = "/bin/sh", .contained_layer = "1"};
    EXPECT_NE(choose_mpi_library(contained, automatic_mpi, true).why.find("linked into"), std::string::npos);
}

TEST_F(MpiLibraryTest, TheUsersWishCounts) {
    expect_own(chosen("plain_with_mpi", native_mpi), "--mpi native");
    prefer("");
    EXPECT_TRUE(chosen("plain_with_mpi", built("mpich_patched")).patched);
    EXPECT_TRUE(chosen("mpi_window", built("mpich_patched")).patched);
    EXPECT_TRUE(chosen("mpi_locks", built("mpich_patched")).patched);
    EXPECT_NE(refusal("mpi_shared_window", built("mpich_patched")).find("MPI_Win_allocate_shared, which the patched"),
              std::string::npos);
    EXPECT_TRUE(chosen("plain_with_mpi", built("mpich_patched/lib")).patched);
    Program late{.path = "/bin/sh", .mpi_at_run_time = true};
    EXPECT_TRUE(choose_mpi_library(late, built("mpich_patched"), true).patched);
    EXPECT_NE(refusal("plain_with_mpi", built("no_such_place")).find("there is no patched MPI library in"),
              std::string::npos);
    EXPECT_NE(refusal("plain_with_mpi", inspect_program(built("plain_with_mpi")).mpi_library.parent_path())
                  .find("there is no patched MPI library in"),
              std::string::npos);
    EXPECT_NE(refusal("mpi_bound", built("mpich_patched")).find("an RPATH"), std::string::npos);
}

TEST_F(MpiLibraryTest, WhatTheProgramFindsByItselfMayBePatched) {
    ::setenv("LD_LIBRARY_PATH", built("mpich_patched/lib").c_str(), 1);
    prefer("");
    const MpiLibrary library = chosen("plain_with_mpi");
    EXPECT_TRUE(library.patched);
    EXPECT_TRUE(library.directory.empty());
    EXPECT_NE(library.why.find("by itself"), std::string::npos);
    ::unsetenv("LD_LIBRARY_PATH");
}

TEST_F(MpiLibraryTest, TheUsersLibraryPathIsFoundWhereHeSaysIt) {
    EXPECT_EQ(users_library_path({}), "");
    ::setenv("LD_LIBRARY_PATH", "/a", 1);
    EXPECT_EQ(users_library_path({}), "/a");
    EXPECT_EQ(users_library_path({{"LD_LIBRARY_PATH", "/b"}, {"X", "y"}}), "/b");
    ::unsetenv("LD_LIBRARY_PATH");
}

TEST(PatchedTransport, SettingsAreTheDevicesOwn) {
    const auto settings = transport_environment(transport_choices({}, {}, true));
    ASSERT_EQ(settings.size(), 2U);
    for (const auto& [name, value] : settings) {
        EXPECT_EQ(name.find("MPIR_CVAR_CH3_RMA_"), 0U) << name << value;
    }
    EXPECT_EQ(transport_environment(transport_choices({}, {{settings[0].first, "1"}}, true)).size(), 1U);
}

TEST(PatchedTransport, WhatIsBelowTheThresholdIsEager) {
    ASSERT_EQ(::unsetenv("UCX_RNDV_THRESH"), 0);
    const auto limit_of = [](const Rendezvous& rendezvous) {
        EXPECT_EQ(rendezvous.settings.size(), 1U);
        EXPECT_EQ(rendezvous.settings[0].first, "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE");
        return std::stoull(rendezvous.settings[0].second);
    };
    const Rendezvous native = rendezvous_for(replay::Buffering::native, {}, true);
    EXPECT_EQ(native.threshold, rendezvous_for(replay::Buffering::native).threshold);
    EXPECT_GT(limit_of(native), native.threshold);
    const Rendezvous users = rendezvous_for(replay::Buffering::native, {{"UCX_RNDV_THRESH", "100"}}, true);
    EXPECT_EQ(users.threshold, 100U);
    EXPECT_GT(limit_of(users), 100U);
    const Rendezvous infinite = rendezvous_for(replay::Buffering::infinite, {}, true);
    EXPECT_EQ(infinite.threshold, replay::no_rendezvous);
    EXPECT_EQ(limit_of(infinite), 2147483647U);
}

}  // namespace
}  // namespace dampi::launch
