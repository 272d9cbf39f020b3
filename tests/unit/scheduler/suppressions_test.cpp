// Files of suppressions: what they may say, what they stand for, and what becomes of damaged ones.
#include "scheduler/report/suppressions.hpp"

#include "base/check.hpp"

#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using enum replay::ViolationKind;

/// A folder of its own, removed at the end.
class Suppressions : public testing::Test {
protected:
    Suppressions() {
        std::string name = fs::temp_directory_path() / "dampi-supp-XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~Suppressions() override { fs::remove_all(folder_); }

    [[nodiscard]] fs::path write(const std::string& content) const {
        std::ofstream(folder_ / "live.supp", std::ios::binary) << content;
        return folder_ / "live.supp";
    }

    [[nodiscard]] std::vector<Suppression> read(const std::string& content) const {
        return read_suppressions(write(content));
    }

    /// What is said of a file that is refused; empty: it is not.
    [[nodiscard]] std::string refusal(const std::string& content) const {
        try {
            (void)read(content);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    }

    fs::path folder_;
};

replay::CodePlace frame(const char* function, const char* file = "/src/app.c",
                        const char* module = "/lib/libfoo.so.1") {
    return {.module = module, .offset = 1, .function = function, .file = file, .line = 3};
}

replay::Violation violation(replay::ViolationKind kind, std::vector<std::vector<replay::CodePlace>> stacks) {
    replay::Violation made{.kind = kind, .message = "m", .ranks = {}, .situations = {}};
    for (const auto& stack : stacks) {
        made.situations.push_back(
            {.rank = 0, .call = "MPI_Comm_dup", .detail = "", .where = stack.front(), .stack = stack});
    }
    return made;
}

TEST_F(Suppressions, AreLinesWithAKindAPlaceAndAReason) {
    const auto all = read(
        "# a remark\n\n  \t\n"
        "leak/* fun:libfoo_init  # kept until exit, until 2027-02\r\n"
        "deadlock\tfile:*.c module:libfoo.so*   # known, until 2028-02-29\n"
        "crash fun:f # untilted, until somebody looks at it  ");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].line, 4U);
    EXPECT_EQ(all[0].text, "leak/* fun:libfoo_init");
    EXPECT_EQ(all[0].kind, "leak/*");
    EXPECT_EQ(all[0].reason, "kept until exit");
    EXPECT_EQ(all[0].until, std::chrono::year_month_day(2027y / 2 / 28));
    ASSERT_EQ(all[1].frames.size(), 2U);
    EXPECT_EQ(all[1].frames[1].what, Suppression::Frame::What::module);
    EXPECT_EQ(all[1].frames[1].pattern, "libfoo.so*");
    EXPECT_EQ(all[1].until, std::chrono::year_month_day(2028y / 2 / 29));
    EXPECT_EQ(all[2].reason, "untilted, until somebody looks at it");
    EXPECT_FALSE(all[2].until);
    EXPECT_TRUE(read("").empty());
}

TEST_F(Suppressions, WhatIsWrongIsSaidWithFileAndLine) {
    for (const auto& [line, word] : std::vector<std::pair<std::string, std::string>>{
             {"nonsense fun:f # why", "'nonsense' is no kind"},
             {"divergence fun:f # why", "doubts of dampi's own cannot be suppressed"},
             {"leak/*  # why", "say where"},
             {"leak/* f # why", "'f' is not fun:NAME"},
             {"leak/* fun: # why", "'fun:' is not fun:NAME"},
             {"leak/* fun:f", "the reason is missing"},
             {"leak/* fun:f # ", "the reason is missing"},
             {"leak/* fun:f # until 2027-01", "the reason is missing"},
             {"leak/* fun:f # why, until 2027-13", "not '2027-13'"},
             {"leak/* fun:f # why, until 2027-02-30", "not '2027-02-30'"},
             {"leak/* fun:f # why, until 2027", "not '2027'"},
             {"leak/* fun:f # why, until 2027-1-1", "not '2027-1-1'"},
             {"leak/* fun:f # why, until 2027-01-01-01", "not '2027-01-01-01'"},
             {"leak/* fun:f # why, until tomorrow", "not 'tomorrow'"},
             {"leak/* fun:f # known until the end of 2027", "not 'the end of 2027'"},
             {"leak/* fun:f # (until 2027-01)", "not '2027-01)'"},
             {"leak/* fun:f # why, until", "not ''"},
             {std::string("leak/* fun:f\0 # why", 20), "this is no text"}}) {
        const std::string said = refusal("\n# first\n" + line + "\n");
        EXPECT_TRUE(said.starts_with((folder_ / "live.supp").string() + ":3: ")) << line << ": " << said;
        EXPECT_NE(said.find(word), std::string::npos) << said;
    }
    EXPECT_NE(refusal(std::string((1U << 20) + 1, '#')).find("live.supp: a file of suppressions has at most"),
              std::string::npos);
    EXPECT_THROW((void)read_suppressions(folder_ / "none"), Error);
    EXPECT_THROW((void)read_suppressions(folder_), Error);
}

TEST_F(Suppressions, DamagedFilesAreReadOrRefused) {
    const std::string whole =
        "# remarks\nleak/* fun:libfoo_init  # kept, until 2027-01\nrma/race file:halo.c module:lib* # known\n";
    std::mt19937 random(7);
    std::size_t refused = 0;
    for (int i = 0; i < 500; ++i) {
        std::string damaged = whole;
        for (unsigned changes = 1 + random() % 4; changes != 0; --changes) {
            const std::size_t at = random() % damaged.size();
            switch (random() % 3) {
                case 0:
                    damaged[at] = static_cast<char>(random());
                    break;
                case 1:
                    damaged.erase(at, 1 + random() % 20);
                    damaged += damaged.empty() ? "#" : "";
                    break;
                default:
                    damaged.insert(at, 1 + random() % 3, static_cast<char>(random()));
            }
        }
        const std::string said = refusal(damaged);
        refused += said.empty() ? 0 : 1;
        EXPECT_TRUE(said.empty() || said.starts_with((folder_ / "live.supp").string() + ":")) << said;
    }
    EXPECT_GT(refused, 50U);
    EXPECT_LT(refused, 500U);
}

TEST_F(Suppressions, StandForKindsAndFrames) {
    const replay::Violation leak = violation(leak_communicator, {{frame("dup"), frame("libfoo_init"), frame("main")}});
    const auto fits = [&](const std::string& words, const replay::Violation& found) {
        return suppresses(read(words + " # why").at(0), found.kind, found.situations.front());
    };
    EXPECT_TRUE(fits("leak/* fun:libfoo_init", leak));
    EXPECT_TRUE(fits("leak/communicator fun:libfoo_* file:app.c module:libfoo.so*", leak));
    EXPECT_TRUE(fits("* file:/src/*", leak));
    EXPECT_FALSE(fits("leak/request fun:libfoo_init", leak));
    EXPECT_FALSE(fits("leak/* fun:libbar_init", leak));
    EXPECT_FALSE(fits("leak/* fun:libfoo_init file:other.c", leak));
    replay::Violation bare = leak;
    bare.situations.front().stack.clear();
    EXPECT_TRUE(fits("leak/* fun:dup", bare)) << "the place alone";
}

TEST_F(Suppressions, TheLinesThatAreMadeAreTakenAndFit) {
    for (const char* function : {"init", "int net::send<int, char>(int, char*)", "operator[](int)"}) {
        const replay::Violation found = violation(leak_communicator, {{frame(function, "/src/a b#.c")}});
        const std::set<std::string> lines = suppression_lines(found, found.kind);
        ASSERT_EQ(lines.size(), 1U);
        const auto read_again = read(*lines.begin() + "\n");
        ASSERT_EQ(read_again.size(), 1U) << *lines.begin();
        EXPECT_TRUE(suppresses(read_again[0], found.kind, found.situations.front())) << *lines.begin();
        EXPECT_FALSE(read_again[0].until);
    }
    const replay::Violation bare = violation(crash, {{frame("", "", "/opt/app")}});
    EXPECT_EQ(suppression_lines(bare, crash).begin()->find("crash module:app  # "), 0U);
    EXPECT_TRUE(suppression_lines(violation(crash, {}), crash).empty());
    // Of what is each rank's own there is one for each place.
    const replay::Violation two = violation(leak_communicator, {{frame("solver")}, {frame("mesh")}, {frame("mesh")}});
    EXPECT_EQ(suppression_lines(two, leak_communicator),
              (std::set<std::string>{"leak/communicator fun:mesh file:app.c  # say here why",
                                     "leak/communicator fun:solver file:app.c  # say here why"}));
    EXPECT_EQ(suppression_lines(two, deadlock).size(), 1U);
}

TEST_F(Suppressions, ExpireAfterTheirLastDay) {
    const Suppression suppression = read("crash fun:f # why, until 2027-01").at(0);
    EXPECT_FALSE(has_expired(suppression, 2027y / 1 / 31));
    EXPECT_TRUE(has_expired(suppression, 2027y / 2 / 1));
    EXPECT_FALSE(has_expired(read("crash fun:f # why").at(0), 2999y / 1 / 1));
}

}  // namespace
}  // namespace dampi::scheduler
