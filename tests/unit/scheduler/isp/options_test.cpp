// ISP's command line.
#include "scheduler/isp/options.hpp"

#include <iostream>
#include <sstream>

#include <gtest/gtest.h>

namespace dampi::scheduler::isp {
namespace {

/// What it says goes to the strings.
ParsedOptions parse(std::vector<std::string> words, std::string* out = nullptr, std::string* err = nullptr) {
    words.insert(words.begin(), "dampi-isp");
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    ParsedOptions parsed = parse_options(static_cast<int>(words.size()), pointers.data());
    std::cout << std::flush;
    const std::string said = testing::internal::GetCapturedStdout();
    const std::string complained = testing::internal::GetCapturedStderr();
    if (out != nullptr) {
        *out = said;
    }
    if (err != nullptr) {
        *err = complained;
    }
    return parsed;
}

TEST(IspOptions, AsGemGivesThem) {
    const ParsedOptions parsed = parse({"-n", "3", "-p", "9999", "-b", "-m", "-x", "-h", "there", "-O", "-s", "-r", "4",
                                        "-f", "-l", "my.log", "./a.out", "-b", "--exp-mode=all"});
    ASSERT_FALSE(parsed.exit_status);
    const Options& options = parsed.options;
    EXPECT_EQ(options.processes, 3);
    EXPECT_TRUE(options.sends_block);
    EXPECT_TRUE(options.count_calls);
    EXPECT_TRUE(options.every_list);
    EXPECT_EQ(options.report_every, 4U);
    EXPECT_EQ(options.log, "my.log");
    EXPECT_EQ(options.without_effect, (std::vector<std::string>{"-p", "-x", "-h", "-s", "-f"}));
    EXPECT_EQ(options.program, "./a.out");
    EXPECT_EQ(options.arguments, (std::vector<std::string>{"-b", "--exp-mode=all"}));
}

TEST(IspOptions, WithoutAnyThereAreTwoProcessesAndBuffers) {
    const ParsedOptions parsed = parse({"prog"});
    ASSERT_FALSE(parsed.exit_status);
    EXPECT_EQ(parsed.options.processes, 2);
    EXPECT_FALSE(parsed.options.sends_block);
    EXPECT_FALSE(parsed.options.log);
    EXPECT_TRUE(parsed.options.without_effect.empty());
}

TEST(IspOptions, OfBlockAndNoblockTheLastCounts) {
    EXPECT_FALSE(parse({"-b", "-g", "prog"}).options.sends_block);
    EXPECT_TRUE(parse({"--noblock", "--block", "prog"}).options.sends_block);
}

TEST(IspOptions, LongNamesMayHaveUnderscoresAndEqualsSigns) {
    const ParsedOptions parsed = parse({"--numprocs=5", "--exp_mode", "left_most", "--stop_at_deadlock", "prog"});
    ASSERT_FALSE(parsed.exit_status);
    EXPECT_EQ(parsed.options.processes, 5);
    EXPECT_TRUE(parsed.options.one_interleaving);
    EXPECT_EQ(parsed.options.mode, "First Available Choice");
    EXPECT_TRUE(parsed.options.stop_at_deadlock);
}

TEST(IspOptions, WhatCannotBeMeantIsRefused) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{},
                                                                                       {"-n", "0", "prog"},
                                                                                       {"-n", "two", "prog"},
                                                                                       {"-n"},
                                                                                       {"--frobnicate", "prog"},
                                                                                       {"-E", "some", "prog"},
                                                                                       {"-r", "0", "prog"}}) {
        std::string err;
        EXPECT_EQ(parse(words, nullptr, &err).exit_status, 11);
        EXPECT_NE(err, "");
    }
}

TEST(IspOptions, TheVersionIsWhereGemLooksForIt) {
    std::string out;
    EXPECT_EQ(parse({"-v"}, &out).exit_status, 0);
    EXPECT_NE(out.find("In-Situ Partial Order"), std::string::npos) << out;
    EXPECT_TRUE(out.ends_with("0.3.1\n")) << out;
}

TEST(IspOptions, TheHelpNamesTheOptions) {
    std::string out;
    EXPECT_EQ(parse({"--help"}, &out).exit_status, 0);
    for (const char* option : {"-n, --numprocs=N", "-b, --block", "-g, --noblock", "-l, --logfile=FILE", "-z, "}) {
        EXPECT_NE(out.find(option), std::string::npos) << option;
    }
}

}  // namespace
}  // namespace dampi::scheduler::isp
