// The file of a suite: what it says, the line of what is wrong in it, and the order in which its sweeps are run.
#include "scheduler/suite/suite_file.hpp"
#include "scheduler/suite/suite_history.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

constexpr const char* whole = R"({
  "time_limit": 1.5,
  "options": ["--buffering", "native"],
  "sweeps": [
    {"program": "./exchange", "arguments": ["--size", "8"], "processes": [2, 3]},
    {
      "name": "tree",
      "program": "bin/tree",
      "processes": 4,
      "options": ["--mixing-bound", "1"],
      "expect": ["deadlock", "leak/*"]
    }
  ]
}
)";

constexpr const char* whole_toml = R"(# what is run each night
time_limit = 1.5
options = ["--buffering", "native"]

[[sweeps]]
program = "./exchange"
arguments = ["--size", "8"]
processes = [2, 3]

[[sweeps]]
name = "tree"
program = "bin/tree"
processes = 4
options = ["--mixing-bound", "1"]
expect = [
  "deadlock",
  "leak/*",
]
)";

std::string error_of(const std::string& text, const std::string& name = "suite.json") {
    try {
        (void)parse_suite(text, name);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string with(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

TEST(Suite, SaysWhatIsRun) {
    for (const auto& [text, name] : {std::pair(whole, "suite.json"), std::pair(whole_toml, "suite.toml")}) {
        SCOPED_TRACE(name);
        const Suite suite = parse_suite(text, name);
        EXPECT_EQ(suite.time_limit, std::chrono::milliseconds(1500));
        ASSERT_EQ(suite.sweeps.size(), 3U);
        EXPECT_EQ(suite.sweeps[0].id, "exchange-n2");
        EXPECT_EQ(suite.sweeps[1].id, "exchange-n3");
        EXPECT_EQ(suite.sweeps[1].processes, 3);
        EXPECT_EQ(suite.sweeps[1].arguments, (std::vector<std::string>{"--size", "8"}));
        EXPECT_EQ(suite.sweeps[2].id, "tree-n4");
        EXPECT_EQ(suite.sweeps[2].options, (std::vector<std::string>{"--buffering", "native", "--mixing-bound", "1",
                                                                     "--expect", "deadlock,leak/*"}));
    }
}

TEST(Suite, EachWordHasItsPlace) {
    const Suite suite = parse_suite(whole, "suite.json");
    EXPECT_EQ(suite.sweeps[1].place, "suite.json:5");
    EXPECT_EQ(suite.sweeps[2].place, "suite.json:8");
    EXPECT_EQ(suite.sweeps[2].option_places,
              (std::vector<std::string>{"suite.json:3", "suite.json:3", "suite.json:10", "suite.json:10",
                                        "suite.json:11", "suite.json:11"}));
    EXPECT_EQ(parse_suite(whole_toml, "s.toml").sweeps[2].option_places.back(), "s.toml:15");
}

TEST(Suite, CleanIsWhatIsExpectedAnyway) {
    for (const char* expected : {"[\"clean\"]", "[]"}) {
        const Suite suite = parse_suite(with(whole, "[\"deadlock\", \"leak/*\"]", expected), "suite.json");
        EXPECT_EQ(suite.sweeps[2].options, (std::vector<std::string>{"--buffering", "native", "--mixing-bound", "1"}));
    }
    EXPECT_TRUE(error_of(with(whole, "\"leak/*\"", "\"clean\"")).starts_with("suite.json:11: 'clean' says"));
    EXPECT_TRUE(error_of(with(whole, "\"native\"", "\"native\", \"--expect=crash\""))
                    .starts_with("suite.json:11: the options of this sweep have --expect"));
}

TEST(Suite, WhatIsWrongIsSaidWithItsLine) {
    const auto begins = [](const std::string& error, const std::string& place) {
        return error.starts_with("suite.json:" + place + ": ");
    };
    EXPECT_TRUE(begins(error_of(with(whole, "1.5", "-1")), "2"));
    EXPECT_TRUE(begins(error_of(with(whole, "[2, 3]", "[2, 0]")), "5"));
    EXPECT_TRUE(begins(error_of(with(whole, "4,", "\"4\",")), "9"));
    EXPECT_TRUE(begins(error_of(with(whole, "--mixing-bound", "--replay")), "10"));
    EXPECT_TRUE(begins(error_of(with(whole, "\"--mixing-bound\", \"1\"", "\"--output=x\"")), "10"));
    EXPECT_TRUE(begins(error_of(with(whole, "expect", "expects")), "11"));
    EXPECT_TRUE(begins(error_of(with(whole, "tree", "../tree")), "7"));
    EXPECT_TRUE(begins(error_of(with(with(whole, "tree", "exchange"), "4,", "2,")), "6"));
    EXPECT_TRUE(begins(error_of(with(whole, "4,", "4")), "10"));  // where JSON ends to be some
    EXPECT_TRUE(begins(error_of("[]"), "1"));
    EXPECT_TRUE(begins(error_of(""), "1"));
    EXPECT_TRUE(begins(error_of(R"({"sweeps": []})"), "1"));
}

TEST(Suite, WhatIsWrongInTomlIsSaidWithItsLine) {
    const auto error = [](const char* what, const char* by) {
        return error_of(with(whole_toml, what, by), "suite.toml").substr(0, 14);
    };
    EXPECT_EQ(error("1.5", "-1"), "suite.toml:2: ");
    EXPECT_EQ(error("1.5", "nan"), "suite.toml:2: ");
    EXPECT_EQ(error("1.5", "1979-05-27"), "suite.toml:2: ");
    EXPECT_EQ(error("[2, 3]", "[2, 0]"), "suite.toml:8: ");
    EXPECT_EQ(error("= 4", "= \"4\""), "suite.toml:13:");
    EXPECT_EQ(error("--mixing-bound", "--replay"), "suite.toml:14:");
    EXPECT_EQ(error("expect", "expects"), "suite.toml:15:");
    EXPECT_EQ(error("  \"deadlock\"", "  deadlock"), "suite.toml:16:");
    EXPECT_EQ(error("name = \"tree\"", "program = \"x\""), "suite.toml:12:") << "twice the same key";
    EXPECT_EQ(error_of("", "suite.toml").substr(0, 14), "suite.toml:1: ");
}

TEST(Suite, DamagedFilesAreRefusedWithALine) {
    std::mt19937 random(26);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same files each time
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
        const bool toml = i % 2 != 0;
        std::string damaged = toml ? whole_toml : whole;
        for (std::size_t j = 0; j < 1 + random() % 3; ++j) {
            const std::size_t at = random() % damaged.size();
            switch (random() % 3) {
                case 0:
                    damaged[at] = static_cast<char>(random());
                    break;
                case 1:
                    damaged.erase(at, 1 + random() % 8);
                    break;
                default:
                    damaged.insert(at, damaged.substr(random() % damaged.size(), 1 + random() % 8));
            }
        }
        const std::string error = error_of(damaged, toml ? "suite.toml" : "suite.json");
        if (!error.empty()) {
            ++refused;
            int line = 0;
            EXPECT_EQ(std::sscanf(error.c_str(), toml ? "suite.toml:%d: " : "suite.json:%d: ", &line), 1) << error;
            EXPECT_TRUE(line >= 1 && line <= 1 + std::count(damaged.begin(), damaged.end(), '\n')) << error;
        }
    }
    EXPECT_GT(refused, 500);
}

TEST(Suite, FailedAndChangedOnesComeFirst) {
    std::vector<SuiteSweep> sweeps;
    for (const char* id : {"same", "incomplete", "changed", "failed", "new"}) {
        sweeps.push_back({.id = id, .processes = 2, .options = {}, .program = "app", .arguments = {}});
    }
    const std::vector<std::string> prints(sweeps.size(), "now");
    SuiteHistory history;
    history.set("same", {0, "now"});
    history.set("incomplete", {3, "now"});
    history.set("changed", {0, "then"});
    history.set("failed", {1, "now"});
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("dampi-suite-" + std::to_string(getpid()));
    history.write(file);
    const SuiteHistory read = SuiteHistory::read(file);
    std::ofstream(file) << "{\"format\": 1}";
    const SuiteHistory damaged = SuiteHistory::read(file);
    std::filesystem::remove(file);
    const auto ids = [&](const SuiteHistory& from) {
        std::vector<std::string> all;
        for (const SuiteSweep& each : from.ordered(sweeps, prints)) {
            all.push_back(each.id);
        }
        return all;
    };
    EXPECT_EQ(ids(read), (std::vector<std::string>{"failed", "changed", "new", "same", "incomplete"}));
    EXPECT_EQ(ids(damaged), (std::vector<std::string>{"same", "incomplete", "changed", "failed", "new"}));
    EXPECT_EQ(ids(SuiteHistory::read(file)), ids(damaged));
    history.keep({sweeps[0], sweeps[4]});
    ASSERT_EQ(history.entries().size(), 1U);
    EXPECT_EQ(history.entries().begin()->first, "same");
}

TEST(Suite, AFingerprintChangesWithTheWords) {
    SuiteSweep sweep{.id = "a", .processes = 2, .options = {"-v"}, .program = "/nowhere/app", .arguments = {"ab"}};
    const std::string before = fingerprint_of(sweep);
    EXPECT_EQ(fingerprint_of(sweep), before);
    sweep.arguments = {"a", "b"};
    EXPECT_NE(fingerprint_of(sweep), before);
    sweep.arguments = {"ab", "-v"};
    sweep.options = {};
    EXPECT_NE(fingerprint_of(sweep), before);
}

}  // namespace
}  // namespace dampi::scheduler
