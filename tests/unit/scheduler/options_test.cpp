// The command line: what belongs to dampi-run, what to the program, and what is refused.
#include "scheduler/cli/parse_options.hpp"

#include "scheduler/cli/option_table.hpp"
#include "scheduler/judgement/livelock.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

struct Parsed {
    ParsedOptions parsed;
    std::string out;
    std::string err;
    const Options* operator->() const { return &parsed.options; }
};

Parsed parse(std::vector<std::string> words) {
    words.insert(words.begin(), "/usr/bin/dampi-run");
    std::vector<char*> argv;
    for (auto& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    Parsed result{parse_options(static_cast<int>(words.size()), argv.data()), "", ""};
    result.out = ::testing::internal::GetCapturedStdout();
    result.err = ::testing::internal::GetCapturedStderr();
    return result;
}

/// The usage error's text; fails the test when there is none.
std::string error_of(const std::vector<std::string>& words) {
    const Parsed result = parse(words);
    EXPECT_EQ(result.parsed.exit_status, 2) << ::testing::PrintToString(words);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.starts_with("dampi-run: ")) << result.err;
    return result.err;
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

TEST(Options, Defaults) {
    const Parsed result = parse({"-n", "4", "./app"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result->processes, 4);
    EXPECT_EQ(result->output, "dampi-out");
    EXPECT_FALSE(result->replay);
    EXPECT_FALSE(result->max_interleavings);
    EXPECT_FALSE(result->time_limit);
    EXPECT_FALSE(result->stop_on_first);
    EXPECT_FALSE(result->show_output);
    EXPECT_TRUE(result->message_leaks);
    EXPECT_FALSE(result->warns_unusual);
    EXPECT_FALSE(result->checks_buffers);
    EXPECT_FALSE(result->clock);
    EXPECT_EQ(replay::buffering_word(result->buffering), "both");
    EXPECT_EQ(result->explore_polls, std::nullopt);
    EXPECT_EQ(result->virtual_time, std::nullopt);
    EXPECT_FALSE(result->fresh_directory);
    EXPECT_EQ(result->verbosity, 0);
    EXPECT_FALSE(result->jobs);
    EXPECT_FALSE(result->resume);
    EXPECT_EQ(result->progress, ProgressKind::automatic);
    EXPECT_EQ(result->keep_output, KeptOutput::findings);
    EXPECT_EQ(result->given, std::set<std::string>{"-n"});
    EXPECT_TRUE(result->environment.empty());
    EXPECT_EQ(result->program, "./app");
    EXPECT_TRUE(result->arguments.empty());
}

TEST(Options, EverythingFromTheProgramOnIsTheProgramsOwn) {
    const Parsed result = parse({"-n", "2", "./app", "-n", "9", "--help", "--", "-q", "--replay=x", "", "[a,b]", "++"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_EQ(result->processes, 2);
    EXPECT_EQ(result->program, "./app");
    EXPECT_EQ(result->arguments,
              (std::vector<std::string>{"-n", "9", "--help", "--", "-q", "--replay=x", "", "[a,b]", "++"}));
    EXPECT_EQ(result->verbosity, 0);
}

TEST(Options, TwoDashesEndOurs) {
    const Parsed result = parse({"-n", "2", "--", "--odd", "--", "-v"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_EQ(result->program, "--odd");
    EXPECT_EQ(result->arguments, (std::vector<std::string>{"--", "-v"}));
}

TEST(Options, OddProgramNames) {
    EXPECT_EQ(parse({"-n", "2", "++"})->program, "++");
    EXPECT_EQ(parse({"-n", "2", "-"})->program, "-");
    EXPECT_EQ(parse({"-n", "2", "my app"})->program, "my app");
}

TEST(Options, AllOfThem) {
    const Parsed result = parse({"-n3",
                                 "-o",
                                 "out dir",
                                 "--max-interleavings=500",
                                 "--time-limit",
                                 "1.5",
                                 "--stop-on-first",
                                 "--env",
                                 "A=1",
                                 "--env=B=x=y",
                                 "--env",
                                 "C=",
                                 "--env",
                                 "D=[1,2]",
                                 "--show-output",
                                 "--no-message-leaks",
                                 "--warn",
                                 "unusual",
                                 "--check-buffers",
                                 "--exit-ok",
                                 "1,77",
                                 "--wrapper",
                                 "my_send",
                                 "--wrapper=check*",
                                 "--clock",
                                 "lamport",
                                 "--explore-polls=7",
                                 "--virtual-time",
                                 "--launcher",
                                 "srun -n {n} 'a b'",
                                 "--no-prepare",
                                 "--fresh-dir",
                                 "-v",
                                 "app"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_EQ(result->processes, 3);
    EXPECT_EQ(result->output, "out dir");
    EXPECT_EQ(result->max_interleavings, 500U);
    EXPECT_EQ(result->time_limit, std::chrono::milliseconds{1500});
    EXPECT_TRUE(result->stop_on_first);
    EXPECT_FALSE(result->prepare);
    EXPECT_TRUE(result->fresh_directory);
    EXPECT_TRUE(result->show_output);
    EXPECT_FALSE(result->message_leaks);
    EXPECT_TRUE(result->warns_unusual);
    EXPECT_TRUE(result->checks_buffers);
    EXPECT_EQ(result->good_exits, (std::vector<int>{1, 77}));
    EXPECT_EQ(result->wrappers, (std::vector<std::string>{"my_send", "check*"}));
    EXPECT_EQ(result->clock, clocks::Protocol::lamport);
    EXPECT_EQ(result->explore_polls, 7U);
    EXPECT_EQ(result->virtual_time, true);
    EXPECT_EQ(parse({"-n", "2", "--real-time", "app"})->virtual_time, false);
    EXPECT_EQ(result->launcher, "srun -n {n} 'a b'");
    EXPECT_EQ(result->verbosity, 1);
    const std::vector<std::pair<std::string, std::string>> environment{
        {"A", "1"}, {"B", "x=y"}, {"C", ""}, {"D", "[1,2]"}};
    EXPECT_EQ(result->environment, environment);
    EXPECT_EQ(result->program, "app");
}

TEST(Options, Snapshots) {
    EXPECT_EQ(parse({"-n", "2", "app"})->snapshots, SnapshotUse::automatic);
    EXPECT_EQ(parse({"-n", "2", "--snapshots", "never", "--snapshots", "auto", "app"})->snapshots,
              SnapshotUse::automatic);
    EXPECT_EQ(parse({"-n", "2", "--snapshots", "never", "app"})->snapshots, SnapshotUse::never);
    EXPECT_EQ(parse({"-n", "2", "--snapshots=always", "app"})->snapshots, SnapshotUse::always);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--fresh-dir", "--snapshots=auto", "app"}), "exclude each other"));
    EXPECT_EQ(parse({"--resume", "x", "--snapshots", "never"})->snapshots, SnapshotUse::never);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--snapshots", "some", "app"}), "--snapshots"));
}

TEST(Options, ShortFormsAndHabits) {
    EXPECT_EQ(parse({"-np", "5", "app"})->processes, 5);
    EXPECT_EQ(parse({"-qn5", "app"})->processes, 5);
    EXPECT_EQ(parse({"-qn5", "app"})->verbosity, -1);
    EXPECT_EQ(parse({"--output=x", "-n", "1", "app"})->output, "x");
    EXPECT_EQ(parse({"-n", "1", "-n", "2", "app"})->processes, 2);
    // A value is a value, whatever it looks like.
    EXPECT_EQ(parse({"-n", "1", "-o", "--odd", "app"})->output, "--odd");
}

TEST(Options, ReplayHasADirectoryOfItsOwn) {
    const Parsed result = parse({"-n", "2", "--replay", "dampi-out/deadlock-1.json", "app"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_EQ(result->replay, "dampi-out/deadlock-1.json");
    EXPECT_EQ(result->output, "dampi-replay");
    EXPECT_EQ(parse({"-n", "2", "--replay", "f", "-o", "here", "app"})->output, "here");
}

TEST(Options, ReplayExcludesBoundsOfTheExploration) {
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--max-interleavings", "3", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--stop-on-first", "--replay", "f", "app"}), "exclude"));
    EXPECT_FALSE(parse({"-n", "2", "--replay", "f", "--time-limit", "3", "app"}).parsed.exit_status);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--clock", "vector", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--explore-polls", "0", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--virtual-time", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--real-time", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--real-time", "--virtual-time", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--buffering", "zero", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "", "app"}), "--replay"));
}

TEST(Options, OneModeOfBufferingOrAll) {
    using replay::Buffering;
    EXPECT_FALSE(parse({"-n", "2", "app"})->engine);
    EXPECT_EQ(parse({"-n", "2", "--engine", "distributed", "app"})->engine, replay::EngineKind::distributed);
    EXPECT_EQ(parse({"-n", "2", "--engine", "central", "app"})->engine, replay::EngineKind::central);
    EXPECT_FALSE(parse({"-n", "2", "--engine=auto", "app"})->engine);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--engine", "local", "app"}), "auto, central or distributed"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--engine", "central", "--launcher", "mpiexec", "app"}), "exclude"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--engine", "central", "app"}), "exclude"));
    for (const Parsed& both : {parse({"-n", "2", "app"}), parse({"-n", "2", "--buffering", "both", "app"})}) {
        EXPECT_EQ(both->buffering, (std::vector{Buffering::native, Buffering::zero}));
        EXPECT_EQ(replay::buffering_word(both->buffering), "both");
    }
    const Parsed zero = parse({"-n", "2", "--buffering", "zero", "app"});
    EXPECT_EQ(zero->buffering, std::vector{Buffering::zero});
    EXPECT_EQ(replay::buffering_word(zero->buffering), "zero");
    EXPECT_EQ(parse({"-n", "2", "--buffering=infinite", "app"})->buffering, std::vector{Buffering::infinite});
    const Parsed all = parse({"-n", "2", "--buffering=all", "app"});
    EXPECT_EQ(all->buffering, (std::vector{Buffering::native, Buffering::zero, Buffering::infinite}));
    EXPECT_EQ(replay::buffering_word(all->buffering), "all");
    const Parsed bytes = parse({"-n", "2", "--buffering", "4096", "app"});
    EXPECT_EQ(bytes->buffering, std::vector{Buffering::of_bytes(4096)});
    EXPECT_EQ(replay::buffering_word(bytes->buffering), "4096");
    for (const char* word : {"", "Zero", "none", "0", "-1", "4k", "1.5", "99999999999999999999"}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--buffering", word, "app"}), "both, native, zero, infinite or all"))
            << word;
    }
}

TEST(Options, ThePiggybackThatIsAskedFor) {
    using replay::Piggyback;
    EXPECT_FALSE(parse({"-n", "2", "app"})->piggyback);
    EXPECT_FALSE(parse({"-n", "2", "--piggyback", "auto", "app"})->piggyback);
    EXPECT_EQ(parse({"-n", "2", "--piggyback", "shared", "app"})->piggyback, Piggyback::shared);
    EXPECT_EQ(parse({"-n", "2", "--piggyback=native", "app"})->piggyback, Piggyback::native);
    for (const char* word : {"", "Native", "datatype"}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--piggyback", word, "app"}), "auto, shared or native")) << word;
    }
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--replay", "f", "--piggyback", "auto", "app"}), "exclude"));
}

TEST(Options, HowManyRunSideBySide) {
    EXPECT_EQ(parse({"-n", "2", "-j", "4", "app"})->jobs, 4);
    EXPECT_EQ(parse({"-n", "2", "-j1", "app"})->jobs, 1);
    EXPECT_EQ(parse({"-n", "2", "--jobs=1024", "app"})->jobs, 1024);
    EXPECT_FALSE(parse({"-n", "2", "-j", "auto", "app"})->jobs);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "-j", "1025", "app"}), "at most 1024"));
    for (const std::string word : {"0", "-1", "x", ""}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "-j", word, "app"}), "--jobs needs auto or a whole number")) << word;
    }
}

TEST(Options, ASweepGoesOnWithWhatItWasBegunWith) {
    const Parsed result = parse({"--resume", "some dir"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_EQ(result->resume, "some dir");
    EXPECT_EQ(result->output, "some dir");
    EXPECT_EQ(result->program, "");
    EXPECT_EQ(result->given, std::set<std::string>{"--resume"});

    const Parsed free = parse({"--resume=d", "-j2", "--max-interleavings", "7", "--time-limit", "none",
                               "--stop-on-first", "-q", "--progress=none", "--keep-output", "all", "--show-output"});
    ASSERT_FALSE(free.parsed.exit_status) << free.err;
    EXPECT_EQ(free->jobs, 2);
    EXPECT_EQ(free->max_interleavings, 7U);
    EXPECT_FALSE(free->time_limit);
    EXPECT_TRUE(free->given.contains("--time-limit"));

    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"-n", "2"},
                                                                                       {"--clock", "auto"},
                                                                                       {"--engine", "auto"},
                                                                                       {"--env", "A=1"},
                                                                                       {"--buffering", "all"},
                                                                                       {"--piggyback", "shared"},
                                                                                       {"--explore-polls", "0"},
                                                                                       {"--virtual-time"},
                                                                                       {"--real-time"},
                                                                                       {"--fresh-dir"},
                                                                                       {"--no-message-leaks"},
                                                                                       {"--hang-limit", "1"},
                                                                                       {"--livelock-limit", "1"}}) {
        auto command = words;
        command.insert(command.end(), {"--resume", "dir"});
        EXPECT_TRUE(mentions(error_of(command), "the option " + words.front() + " cannot be changed with --resume"));
    }
}

TEST(Options, ASweepMayGoOnWithItsWholeCommand) {
    const Parsed result = parse({"--resume", "d", "-n", "3", "--clock", "vector", "./app", "x"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_EQ(result->processes, 3);
    EXPECT_EQ(result->program, "./app");
    EXPECT_EQ(result->output, "d");
    EXPECT_TRUE(mentions(error_of({"--resume", "d", "./app"}), "-n N"));
}

TEST(Options, ResumeExcludes) {
    EXPECT_TRUE(mentions(error_of({"--resume", "d", "--replay", "f"}), "--resume and --replay exclude"));
    EXPECT_TRUE(mentions(error_of({"--resume", "d", "-o", "e"}), "--resume and -o exclude"));
    EXPECT_TRUE(mentions(error_of({"--resume", ""}), "--resume needs"));
    EXPECT_TRUE(mentions(error_of({"--resume"}), "--resume needs a value"));
}

TEST(Options, WhatIsShownAndWhatIsKept) {
    EXPECT_EQ(parse({"-n", "2", "--progress", "line", "app"})->progress, ProgressKind::line);
    EXPECT_EQ(parse({"-n", "2", "--progress=json", "app"})->progress, ProgressKind::json);
    EXPECT_EQ(parse({"-n", "2", "--progress=none", "app"})->progress, ProgressKind::none);
    EXPECT_EQ(parse({"-n", "2", "--progress=auto", "app"})->progress, ProgressKind::automatic);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--progress", "x", "app"}), "auto, line, json or none, not 'x'"));
    EXPECT_EQ(parse({"-n", "2", "--keep-output=all", "app"})->keep_output, KeptOutput::all);
    EXPECT_EQ(parse({"-n", "2", "--keep-output", "findings", "app"})->keep_output, KeptOutput::findings);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--keep-output", "", "app"}), "all or findings, not ''"));
}

TEST(Options, ABoundMayBeNone) {
    const Parsed result = parse({"-n", "2", "--max-interleavings", "none", "--time-limit=none", "app"});
    ASSERT_FALSE(result.parsed.exit_status) << result.err;
    EXPECT_FALSE(result->max_interleavings);
    EXPECT_FALSE(result->time_limit);
    EXPECT_EQ(result->given, (std::set<std::string>{"-n", "--max-interleavings", "--time-limit"}));
}

TEST(Options, TheClockFollowsTheNumberOfProcessesUnlessAskedFor) {
    const auto protocol = [](const std::vector<std::string>& words) { return parse(words)->protocol(); };
    EXPECT_EQ(protocol({"-n", "1024", "app"}), clocks::Protocol::vector);
    EXPECT_EQ(protocol({"-n", "1025", "app"}), clocks::Protocol::lamport);
    EXPECT_EQ(protocol({"-n", "1025", "--clock", "auto", "app"}), clocks::Protocol::lamport);
    EXPECT_EQ(protocol({"-n", "1025", "--clock=vector", "app"}), clocks::Protocol::vector);
    EXPECT_EQ(protocol({"-n", "2", "--clock", "lamport", "app"}), clocks::Protocol::lamport);
    for (const std::string word : {"", "Vector", "vectors", "x"}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--clock", word, "app"}), "auto, vector or lamport")) << word;
    }
}

TEST(Options, AdditionalFalseAnswersHaveABound) {
    EXPECT_EQ(parse({"-n", "2", "--explore-polls", "0", "app"})->explore_polls, 0U);
    EXPECT_EQ(parse({"-n", "2", "--explore-polls", "1000000", "app"})->explore_polls, 1'000'000U);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--explore-polls", "1000001", "app"}), "at most 1000000"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--explore-polls", "99999999999", "app"}), "too large"));
    for (const std::string word : {"-1", "x", "", "1.5"}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--explore-polls", word, "app"}), "whole number from 0")) << word;
    }
}

TEST(Options, RandomWalksNeedWhatTheyCanCount) {
    EXPECT_EQ(parse({"-n", "2", "--sample", "50", "app"})->sample, 50U);
    EXPECT_EQ(parse({"-n", "2", "--sample", "auto", "app"})->sample, std::nullopt);
    EXPECT_EQ(parse({"-n", "2", "--sample", "0", "--explore-polls", "1", "app"})->sample, 0U);
    EXPECT_EQ(parse({"-n", "2", "--sample", "auto", "--clock", "lamport", "app"})->sample, std::nullopt);
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--sample", "5", "--explore-polls", "1", "app"}), "exclude each other"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--sample", "5", "--clock", "lamport", "app"}), "leave out --clock"));
    EXPECT_TRUE(mentions(error_of({"-n", "1025", "--sample", "5", "app"}), "--clock vector"));
}

TEST(Options, NumbersAreChecked) {
    for (const std::string word : {"0", "-1", "x", "4x", "", " 4", "+4", "1.5", "0x4"}) {
        EXPECT_TRUE(mentions(error_of({"-n", word, "app"}), "-n needs a whole number")) << word;
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--max-interleavings", word, "app"}), "--max-interleavings")) << word;
    }
    EXPECT_TRUE(mentions(error_of({"-n", "99999999999", "app"}), "too large"));
    EXPECT_TRUE(mentions(error_of({"-n", "-99999999999", "app"}), "whole number"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--max-interleavings", "99999999999999999999", "app"}), "too large"));
    for (const std::string word : {"0", "-1", "x", "1s", "", "nan", "inf", "0.0"}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--time-limit", word, "app"}), "--time-limit")) << word;
    }
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--time-limit", "99999999999", "app"}), "too large"));
    EXPECT_EQ(parse({"-n", "2", "--time-limit", "0.0001", "app"})->time_limit, std::chrono::milliseconds{1});
    EXPECT_EQ(parse({"-n", "2", "--time-limit", "60", "app"})->time_limit, std::chrono::milliseconds{60000});
}

TEST(Options, WhatIsMissingIsSaid) {
    EXPECT_TRUE(mentions(error_of({}), "-n"));
    EXPECT_TRUE(mentions(error_of({"./app"}), "-n N"));
    EXPECT_TRUE(mentions(error_of({"-n", "2"}), "no program"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--"}), "no program"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", ""}), "no program"));
    EXPECT_TRUE(mentions(error_of({"-n"}), "-n needs a value"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--env"}), "--env needs a value"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "-o", "", "app"}), "-o"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--output=", "app"}), "-o"));
}

TEST(Options, WhatIsWrongIsSaid) {
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--frob", "app"}), "'--frob'"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "-x", "app"}), "'-x'"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--quiet=3", "app"}), "takes no value"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "-v", "-q", "app"}), "exclude each other"));
    for (const std::string word : {"A", "=1", ""}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--env", word, "app"}), "NAME=VALUE")) << word;
    }
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--launcher", "", "app"}), "is empty"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--launcher", "x {command} {command}", "app"}), "more than once"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--launcher", "{command}", "app"}), "begin with a program's name"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--launcher", "x 'y", "app"}), "without its other one"));
}

TEST(Options, GoodExitsAreStatuses) {
    for (const char* words : {"0", "256", "1,", "1,x", ""}) {
        EXPECT_TRUE(mentions(error_of({"-n", "2", "--exit-ok", words, "app"}), "--exit-ok")) << words;
    }
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--wrapper=", "app"}), "--wrapper"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--warn", "all", "app"}), "'all'"));
}

TEST(Options, WhatIsGivenWithASuiteIsForEachSweep) {
    const Parsed suite = parse({"--suite", "s.toml", "-q", "--junit", "j.xml", "--baseline=b.json", "--fail-on", "new",
                                "--suppressions", "s", "--incomplete-ok", "--corpus", "c", "--minimize", "--jobs=3"});
    ASSERT_FALSE(suite.parsed.exit_status) << suite.err;
    EXPECT_EQ(suite->verbosity, -1);
    std::vector<std::string> names;
    for (const ParsedOptions::Typed& each : suite.parsed.of_each_sweep) {
        names.push_back(each.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"--quiet", "--baseline", "--fail-on", "--suppressions",
                                               "--incomplete-ok", "--corpus", "--minimize", "--jobs"}));
    for (const char* option : {"--expect=crash", "--corpus-add", "--engine=auto", "--show-output"}) {
        EXPECT_TRUE(mentions(error_of({"--suite", "s.toml", option}), "cannot be given with --suite")) << option;
    }
    EXPECT_TRUE(parse({"-n", "2", "-q", "app"}).parsed.of_each_sweep.empty()) << "one sweep";
}

TEST(Options, WordsThatNobodyHasTypedAreRefusedWithAnError) {
    EXPECT_EQ(parse_words({"-n", "2", "--seed", "3", "--", "app", "-q"}).seed, 3U);
    for (const auto& [words, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"-n", "2", "--bogus", "app"}, "unknown option '--bogus'"},
             {{"-n", "2", "--seed", "x", "app"}, "not 'x'"},
             {{"-qhn2", "app"}, "do not say how one program is verified"},
             {{"--explain"}, "do not say how one program is verified"},
             {{"-n2,3", "app"}, "do not say how one program is verified"}}) {
        try {
            (void)parse_words(words);
            ADD_FAILURE() << said;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
        }
    }
}

TEST(Options, WhatIsWrongIsSaidWithWhatWouldBeRight) {
    EXPECT_TRUE(
        mentions(error_of({"-n", "2", "--max-interleaving", "3", "app"}), "the nearest is --max-interleavings"));
    EXPECT_FALSE(mentions(error_of({"-n", "2", "--wholly-unknown", "app"}), "nearest"));
    EXPECT_FALSE(mentions(error_of({"-n", "2", "-y", "app"}), "nearest"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--time-limit", "x", "app"}), "needs none or a number of seconds"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--hang-limit", "x", "app"}), "needs auto, none or a number"));
    EXPECT_TRUE(mentions(error_of({"-n", "2", "--expect", "clean", "app"}), "leave it out"));
}

TEST(Options, SeveralNumbersOfProcesses) {
    const Parsed one = parse({"-n", "4", "./app", "-n", "2,3"});
    EXPECT_TRUE(one.parsed.process_counts.empty());
    const Parsed many = parse({"-vn2,3,8", "--junit", "a,b", "--time-limit=9", "--expect", "leak/*,crash", "-o", "out",
                               "--env", "A=-n", "./app", "x"});
    ASSERT_FALSE(many.parsed.exit_status) << many.err;
    EXPECT_EQ(many.parsed.process_counts, (std::vector<int>{2, 3, 8}));
    std::vector<std::string> names;
    std::vector<std::string> words;
    for (const ParsedOptions::Typed& each : many.parsed.of_each_sweep) {
        names.push_back(each.name);
        words.insert(words.end(), each.words.begin(), each.words.end());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"--verbose", "--expect", "--env"}));
    EXPECT_EQ(words, (std::vector<std::string>{"-v", "--expect", "leak/*,crash", "--env", "A=-n"}));
    EXPECT_EQ(many->processes, 2);
    EXPECT_EQ(many->arguments, std::vector<std::string>{"x"});
    for (const char* word : {"2,3,2", "2,", ",", "2,x", "2,0"}) {
        EXPECT_TRUE(mentions(error_of({"-n", word, "./app"}), "-n")) << word;
    }
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--resume"}, {"--replay", "f"}, {"--corpus", "c", "--corpus-add"}}) {
        std::vector<std::string> all{"-n", "2,3"};
        all.insert(all.end(), words.begin(), words.end());
        all.emplace_back("./app");
        EXPECT_TRUE(mentions(error_of(all), words.back() == "f" ? "--replay" : words.back()));
    }
}

TEST(Options, HelpNamesEveryOptionAndTheExitStatuses) {
    const Parsed result = parse({"--help"});
    EXPECT_EQ(result.parsed.exit_status, 0);
    EXPECT_EQ(result.err, "");
    for (const char* word : {"-n",           "--env",           "--launcher",
                             "--replay",     "--resume",        "--jobs",
                             "--progress",   "--keep-output",   "--max-interleavings",
                             "--time-limit", "--stop-on-first", "--no-message-leaks",
                             "--clock",      "--explore-polls", "--virtual-time",
                             "--no-prepare", "--output",        "--show-output",
                             "--verbose",    "--quiet",         "--help",
                             "--version",    "Launching",       "Exploration",
                             "Output",       "Exit status",     "NAME=VALUE",
                             "--snapshots",  "--fresh-dir"}) {
        EXPECT_TRUE(mentions(result.out, word)) << word << "\n" << result.out;
    }
    EXPECT_EQ(parse({"-n", "2", "-h"}).parsed.exit_status, 0);
}

TEST(Options, Version) {
    const Parsed result = parse({"--version"});
    EXPECT_EQ(result.parsed.exit_status, 0);
    EXPECT_EQ(result.out, std::string("dampi-run ") + DAMPI_VERSION + "\n");
    EXPECT_EQ(result.err, "");
}

/// What the words before the program ask for, whichever words were typed for it.
Options asked_for(std::vector<std::string> words) {
    words.insert(words.end(), {"-n", "2", "./app"});
    Options options = parse(words).parsed.options;
    options.given.clear();
    options.livelock_limit = options.livelock_limit.value_or(default_livelock_limit);  // a replay asks who gave it
    return options;
}

TEST(OptionTable, TheDefaultMayAsWellBeTyped) {
    for (const option_table::Line& line : option_table::lines) {
        if (!line.standard.empty()) {
            const std::string option(option_table::long_word(line));
            EXPECT_EQ(parse({option, std::string(line.standard), "-n", "2", "./app"}).parsed.exit_status, std::nullopt);
            EXPECT_TRUE(asked_for({option, std::string(line.standard)}) == asked_for({})) << option;
        }
    }
}

TEST(OptionTable, EachFlagAsksForSomething) {
    for (const option_table::Line& line : option_table::lines) {
        if (line.form == option_table::Form::flag) {
            const std::string option(option_table::long_word(line));
            EXPECT_FALSE(asked_for({option}) == asked_for({})) << option;
        }
    }
}

TEST(OptionTable, EachLineIsWhole) {
    using option_table::Form;
    for (const option_table::Line& line : option_table::lines) {
        EXPECT_EQ(line.value.empty(),
                  line.form != Form::value && line.form != Form::list && line.form != Form::explanation)
            << line.words;
        EXPECT_TRUE(line.form == Form::value || line.standard.empty()) << line.words;
        EXPECT_FALSE(line.help.empty() || line.help.ends_with('.')) << line.words;
        EXPECT_TRUE(line.manual.ends_with('.')) << line.words;
    }
}

}  // namespace
}  // namespace dampi::scheduler
