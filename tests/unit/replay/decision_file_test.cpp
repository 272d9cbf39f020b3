// Decision files: what is saved comes back, and what is damaged or made for something else is refused.
#include "replay/decision_file.hpp"

#include "base/check.hpp"
#include "replay/epoch_names.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

namespace dampi::replay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class DecisionFileTest : public ::testing::Test {
protected:
    DecisionFileTest() {
        std::string name = (fs::temp_directory_path() / "dampi-test-XXXXXX").string();
        directory_ = ::mkdtemp(name.data());
        path_ = directory_ / "deadlock-1.json";
    }
    ~DecisionFileTest() override { fs::remove_all(directory_); }

    static DecisionFile sample() {
        DecisionFile file;
        file.program = "./app";
        file.fingerprint = "abc123";
        file.arguments = {"--size", "8 rows", ""};
        file.processes = 4;
        file.clock = clocks::Protocol::lamport;
        file.engine = EngineKind::central;
        file.patched_mpi = true;
        file.virtual_time = true;
        file.checks_buffers = true;
        file.explore_polls = 3;
        file.hang_limit = std::chrono::milliseconds(1500);
        file.livelock_limit = std::chrono::milliseconds(250);
        file.finding = ViolationKind::deadlock;
        file.portability = true;
        file.interleaving.number = 7;
        file.interleaving.buffering = Buffering::infinite;
        file.piggyback = Piggyback::native;
        file.interleaving.decisions = {
            {.epoch = {0, 0},
             .kind = EpochKind::receive,
             .comm = base::world_comm,
             .outcome = {.source = 3, .tag = 5, .number = std::numeric_limits<std::uint64_t>::max()}},
            {.epoch = {0, 1},
             .kind = EpochKind::polling_matched_probe,
             .comm = std::numeric_limits<CommId>::max(),
             .tag = 17,
             .outcome = {.source = 0, .tag = 17, .false_answers = 9},
             .additional = 2},
            {.epoch = {1, 0}, .kind = EpochKind::wait_some, .outcome = {.completed = {0, 2, 4'000'000'000}}},
            {.epoch = {1, 1}, .kind = EpochKind::test, .outcome = {.false_answers = 1}, .open = true, .additional = 1},
            {.epoch = {1, 2}, .kind = EpochKind::polling_probe, .comm = 1, .outcome = {.false_answers = 1}},
            {.epoch = {1, 3}, .kind = EpochKind::cancel},
            {.epoch = {3, std::numeric_limits<std::uint32_t>::max()},
             .kind = EpochKind::probe,
             .comm = 2,
             .tag = 0,
             .outcome = {.source = 1}}};
        return file;
    }

    void write(const std::string& text) const { std::ofstream(path_) << text; }

    [[nodiscard]] json saved_json() const {
        save_decision_file(path_, sample());
        std::ifstream stream(path_);
        return json::parse(stream);
    }

    /// The refusal of a saved file after a change; empty when it is accepted.
    [[nodiscard]] std::string refusal_after(const std::function<void(json&)>& change) const {
        json root = saved_json();
        change(root);
        write(root.dump());
        return refusal();
    }

    [[nodiscard]] std::string refusal() const {
        try {
            static_cast<void>(load_decision_file(path_));
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(path_.string()), std::string::npos) << error.what();
            return error.what();
        }
        return "";
    }

    fs::path directory_;
    fs::path path_;
};

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

TEST_F(DecisionFileTest, ComesBackAsItWasSaved) {
    const DecisionFile saved = sample();
    save_decision_file(path_, saved);
    const DecisionFile loaded = load_decision_file(path_);
    EXPECT_EQ(loaded.program, saved.program);
    EXPECT_EQ(loaded.fingerprint, saved.fingerprint);
    EXPECT_EQ(loaded.arguments, saved.arguments);
    EXPECT_EQ(loaded.processes, 4);
    EXPECT_EQ(loaded.clock, clocks::Protocol::lamport);
    EXPECT_EQ(loaded.engine, EngineKind::central);
    EXPECT_TRUE(loaded.patched_mpi);
    EXPECT_TRUE(loaded.virtual_time);
    EXPECT_TRUE(loaded.checks_buffers);
    EXPECT_EQ(loaded.explore_polls, 3U);
    EXPECT_EQ(loaded.hang_limit, std::chrono::milliseconds(1500));
    EXPECT_EQ(loaded.livelock_limit, std::chrono::milliseconds(250));
    EXPECT_EQ(loaded.finding, ViolationKind::deadlock);
    EXPECT_TRUE(loaded.portability);
    EXPECT_EQ(loaded.interleaving.number, 7U);
    EXPECT_EQ(loaded.interleaving.buffering, Buffering::infinite);
    EXPECT_EQ(loaded.piggyback, Piggyback::native);
    EXPECT_EQ(loaded.interleaving.decisions, saved.interleaving.decisions);
}

TEST_F(DecisionFileTest, HasTheDocumentedFields) {
    const json root = saved_json();
    EXPECT_EQ(root["format"], "dampi-decisions/3");
    EXPECT_EQ(root["processes"], 4);
    EXPECT_EQ(root["clock"], "lamport");
    EXPECT_EQ(root["engine"], "central");
    EXPECT_EQ(root["buffering"], "infinite");
    EXPECT_EQ(root["piggyback"], "native");
    EXPECT_EQ(root["patched_mpi"], true);
    EXPECT_EQ(root["virtual_time"], true);
    EXPECT_EQ(root["checks_buffers"], true);
    EXPECT_EQ(root["portability"], true);
    EXPECT_EQ(root["explore_polls"], 3);
    EXPECT_EQ(root["decisions"].size(), 7U);
    EXPECT_EQ(root["decisions"][0],
              (json{{"rank", 0},
                    {"index", 0},
                    {"kind", "receive"},
                    {"communicator", 1},
                    {"tag", -1},
                    {"message", {{"source", 3}, {"number", std::numeric_limits<std::uint64_t>::max()}, {"tag", 5}}},
                    {"completed", json::array()},
                    {"false_answers", 0},
                    {"open", false},
                    {"additional", 0}}));
    EXPECT_TRUE(root["decisions"][2]["message"].is_null());
    EXPECT_EQ(root["decisions"][2]["completed"], json({0, 2, 4'000'000'000U}));
}

TEST_F(DecisionFileTest, KeepsBytesThatAreNotUtf8) {
    DecisionFile file = sample();
    file.arguments = {"\xff\xfe latin", "gr\xc3\xbc\xc3\x9f", "{\"hex\":\"41\"}"};
    file.program = "./a\x80pp";
    save_decision_file(path_, file);
    const DecisionFile loaded = load_decision_file(path_);
    EXPECT_EQ(loaded.arguments, file.arguments);
    EXPECT_EQ(loaded.program, file.program);
}

TEST_F(DecisionFileTest, TheTurnsOfThreadsComeBackWithTheLastDecisionOfTheirRank) {
    const auto all = std::make_shared<const ThreadOrder::Turns>(ThreadOrder::Turns{{0, 2}, {4'000'000'000, 1}});
    DecisionFile file = sample();
    file.interleaving.decisions[0].threads = ThreadOrder(all, 1);
    file.interleaving.decisions[1].threads = ThreadOrder(all, 3);
    save_decision_file(path_, file);
    const auto loaded = load_decision_file(path_).interleaving.decisions;
    EXPECT_TRUE(loaded[0].threads.empty()) << "what the later one has is enough";
    EXPECT_EQ(loaded[1].threads.turns(), *all);
    EXPECT_TRUE(loaded[2].threads.empty());
}

TEST_F(DecisionFileTest, RefusesTurnsThatAreNone) {
    for (const json& turns : {json(1), json::array({1}), json::array({{1}}), json::array({{1, -1}}),
                              json::array({{1, 5'000'000'000}}), json::array({{"0", 1}})}) {
        json content = saved_json();
        content["decisions"][0]["threads"] = turns;
        write(content.dump());
        EXPECT_THROW(load_decision_file(path_), Error) << turns;
    }
}

TEST_F(DecisionFileTest, NoDecisionsIsAValidFile) {
    DecisionFile file = sample();
    file.interleaving = {};
    file.finding.reset();
    save_decision_file(path_, file);
    EXPECT_TRUE(load_decision_file(path_).interleaving.decisions.empty());
}

TEST_F(DecisionFileTest, DecisionsAreSortedByEpoch) {
    EXPECT_EQ(refusal_after([](json& root) { std::swap(root["decisions"][0], root["decisions"][6]); }), "");
    EXPECT_EQ(load_decision_file(path_).interleaving.decisions, sample().interleaving.decisions);
}

TEST_F(DecisionFileTest, UnknownFieldsAreIgnored) {
    EXPECT_EQ(refusal_after([](json& root) { root["comment"] = "from a newer dampi"; }), "");
}

TEST_F(DecisionFileTest, SavingReplacesAndLeavesNothingBehind) {
    save_decision_file(path_, sample());
    DecisionFile other = sample();
    other.processes = 9;
    save_decision_file(path_, other);
    EXPECT_EQ(load_decision_file(path_).processes, 9);
    EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator{}), 1);
}

TEST_F(DecisionFileTest, TheFileObeysTheUmask) {
    const mode_t before = ::umask(027);
    save_decision_file(path_, sample());
    ::umask(before);
    EXPECT_EQ(fs::status(path_).permissions(), fs::perms{0640});
}

TEST_F(DecisionFileTest, SavingWhereNothingCanBeWrittenIsAnErrorWithTheName) {
    try {
        save_decision_file(directory_ / "missing" / "d.json", sample());
        FAIL();
    } catch (const Error& error) {
        EXPECT_TRUE(mentions(error.what(), "missing/d.json")) << error.what();
    }
    // A directory of that name: the rename fails, and the temporary file goes.
    fs::create_directory(path_);
    EXPECT_THROW(save_decision_file(path_, sample()), Error);
    EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator{}), 1);
}

TEST_F(DecisionFileTest, RefusesWhatCannotBeRead) {
    EXPECT_TRUE(mentions(refusal(), "No such file"));
    fs::create_directory(path_);
    EXPECT_TRUE(mentions(refusal(), "cannot read"));
}

TEST_F(DecisionFileTest, RefusesWhatIsNotJson) {
    for (const std::string text : {"", "{", "not json", "\xff\xff", "{\"format\": \"dampi-decisions/3\","}) {
        write(text);
        EXPECT_TRUE(mentions(refusal(), "not JSON")) << text;
    }
}

TEST_F(DecisionFileTest, RefusesEveryTruncation) {
    save_decision_file(path_, sample());
    std::ifstream stream(path_);
    const std::string whole{std::istreambuf_iterator<char>(stream), {}};
    for (std::size_t length = 0; length + 2 < whole.size(); length += 7) {
        write(whole.substr(0, length));
        EXPECT_NE(refusal(), "") << length;
    }
}

TEST_F(DecisionFileTest, RefusesAnotherFormatOrVersion) {
    write("[]");
    EXPECT_TRUE(mentions(refusal(), "'format'"));
    write("{\"schema\": \"dampi-report/1\"}");
    EXPECT_TRUE(mentions(refusal(), "'format'"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["format"] = "other/1"; }), "'other/1'"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["format"] = "dampi-decisions/4"; }), "reads only"));
    for (const char* earlier : {"dampi-decisions/1", "dampi-decisions/2"}) {
        EXPECT_TRUE(mentions(refusal_after([earlier](json& root) { root["format"] = earlier; }),
                             "an earlier version of dampi-run wrote it"));
    }
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["format"] = 1; }), "'format'"));
}

TEST_F(DecisionFileTest, RefusesAFindingThatThereIsNot) {
    EXPECT_EQ(refusal_after([](json& root) { root["finding"] = "leak/request"; }), "");
    EXPECT_EQ(load_decision_file(path_).finding, ViolationKind::leak_request);
    EXPECT_TRUE(
        mentions(refusal_after([](json& root) { root["finding"] = "leak/nothing"; }), "'leak/nothing' is unknown"));
}

TEST_F(DecisionFileTest, RefusesAMissingOrMistypedField) {
    for (const char* name :
         {"program", "fingerprint", "arguments", "processes", "clock", "buffering", "virtual_time", "explore_polls",
          "hang_limit_ms", "livelock_limit_ms", "finding", "interleaving", "decisions"}) {
        const std::string missing = refusal_after([name](json& root) { root.erase(name); });
        EXPECT_TRUE(mentions(missing, "'" + std::string(name) + "' is missing")) << missing;
        const std::string mistyped = refusal_after([name](json& root) { root[name] = 1.5; });
        EXPECT_TRUE(mentions(mistyped, "'" + std::string(name) + "' is not")) << mistyped;
    }
    for (const char* name : {"rank", "index", "kind", "communicator", "tag", "message", "completed", "false_answers",
                             "open", "additional"}) {
        const std::string missing = refusal_after([name](json& root) { root["decisions"][1].erase(name); });
        EXPECT_TRUE(mentions(missing, "in decision 2 the field '" + std::string(name) + "' is missing")) << missing;
        const std::string mistyped = refusal_after([name](json& root) { root["decisions"][1][name] = 1.5; });
        EXPECT_TRUE(mentions(mistyped, "'" + std::string(name) + "' is ")) << mistyped;
    }
    for (const char* name : {"source", "number", "tag"}) {
        const std::string missing = refusal_after([name](json& root) { root["decisions"][1]["message"].erase(name); });
        EXPECT_TRUE(mentions(missing, "in the field 'message' the field '" + std::string(name) + "' is missing"))
            << missing;
        const std::string mistyped = refusal_after([name](json& root) { root["decisions"][1]["message"][name] = 1.5; });
        EXPECT_TRUE(mentions(mistyped, "'" + std::string(name) + "' is not")) << mistyped;
    }
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["arguments"][1] = 8; }), "argument 2"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["arguments"][1] = {{"hex", "4"}}; }), "argument 2"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["decisions"][0] = 8; }), "decision 1"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["fingerprint"] = ""; }), "is empty"));
}

TEST_F(DecisionFileTest, NamesTheLine) {
    std::string text = saved_json().dump(2);
    const std::size_t at = text.rfind("\"false_answers\": ");
    ASSERT_NE(at, std::string::npos);
    text.insert(at + std::string("\"false_answers\": ").size(), "-");
    text.replace(text.find("-", at), text.find_first_of(",\n", at) - text.find("-", at), "-1");
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    write(text);
    const std::string said = refusal();
    EXPECT_TRUE(mentions(said, path_.string() + ":" + std::to_string(line) + ": in decision ")) << said;
    write(text.substr(0, at));
    EXPECT_TRUE(mentions(refusal(), path_.string() + ":" + std::to_string(line) + ": this is not JSON")) << refusal();
}

TEST_F(DecisionFileTest, OfAFileWithoutOneThePiggybackIsShared) {
    json root = saved_json();
    root.erase("piggyback");
    write(root.dump());
    EXPECT_EQ(load_decision_file(path_).piggyback, Piggyback::shared);
    EXPECT_TRUE(mentions(refusal_after([](json& other) { other["piggyback"] = "datatype"; }), "'datatype' is unknown"));
}

TEST_F(DecisionFileTest, RefusesNumbersOutOfRange) {
    const auto decision = [this](const char* name, const json& value) {
        return refusal_after([&](json& root) { root["decisions"][0][name] = value; });
    };
    EXPECT_TRUE(mentions(decision("rank", 4), "not between 0 and 3"));
    EXPECT_TRUE(mentions(decision("rank", -1), "not between"));
    const auto message = [this](const char* name, const json& value) {
        return refusal_after([&](json& root) { root["decisions"][0]["message"][name] = value; });
    };
    EXPECT_TRUE(mentions(message("source", 4), "not between 0 and 3"));
    EXPECT_TRUE(mentions(message("source", -1), "not between"));
    EXPECT_TRUE(mentions(message("source", std::numeric_limits<std::uint64_t>::max()), "not between"));
    EXPECT_TRUE(mentions(message("tag", -1), "not between"));
    EXPECT_TRUE(mentions(message("number", -1), "not between"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["explore_polls"] = 1'000'001; }), "not between"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["clock"] = "sand"; }), "'sand' is unknown"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["engine"] = "steam"; }), "'steam' is unknown"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["buffering"] = "all"; }), "'all' is unknown"));
    EXPECT_TRUE(mentions(decision("index", std::uint64_t{1} << 32), "not between"));
    EXPECT_TRUE(mentions(decision("tag", -2), "not between"));
    EXPECT_TRUE(mentions(decision("communicator", -1), "not between"));
    EXPECT_TRUE(mentions(decision("kind", "send"), "'send'"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["processes"] = 0; }), "not between"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["processes"] = std::uint64_t{1} << 40; }), "not between"));
    EXPECT_TRUE(mentions(refusal_after([](json& root) { root["interleaving"] = 0; }), "not between"));
}

TEST_F(DecisionFileTest, RefusesOutcomesThatTheOperationCannotHave) {
    const auto changed = [this](std::size_t index, const char* name, const json& value) {
        return refusal_after([&](json& root) { root["decisions"][index][name] = value; });
    };
    const json message{{"source", 1}, {"number", 0}, {"tag", 0}};
    EXPECT_TRUE(mentions(changed(0, "message", nullptr), "has no outcome"));
    EXPECT_TRUE(mentions(changed(0, "completed", {0}), "cannot report requests"));
    EXPECT_TRUE(mentions(changed(0, "false_answers", 1), "does not poll"));
    EXPECT_TRUE(mentions(changed(0, "open", true), "does not poll"));
    EXPECT_TRUE(mentions(changed(1, "additional", 10), "not between 0 and 9"));
    EXPECT_TRUE(mentions(changed(1, "open", true), "open and decided"));
    EXPECT_TRUE(mentions(changed(1, "message", message), "tag is not the one"));
    EXPECT_TRUE(mentions(changed(2, "message", message), "cannot choose a message"));
    EXPECT_TRUE(mentions(changed(2, "completed", json::array()), "has no outcome"));
    EXPECT_TRUE(mentions(changed(2, "completed", {2, 0}), "do not ascend"));
    EXPECT_TRUE(mentions(changed(2, "completed", {2, 2}), "do not ascend"));
    EXPECT_TRUE(mentions(changed(2, "completed", {-1}), "no request's position"));
    EXPECT_TRUE(mentions(changed(2, "completed", {std::uint64_t{1} << 32}), "no request's position"));
    EXPECT_TRUE(mentions(changed(2, "completed", {"0"}), "no request's position"));
    EXPECT_TRUE(mentions(changed(2, "kind", "wait-any"), "more than one"));
    EXPECT_TRUE(mentions(changed(3, "completed", {0}), "open and decided"));
    EXPECT_EQ(changed(5, "completed", {0}), "");
    EXPECT_TRUE(mentions(changed(5, "completed", {0, 1}), "more than one"));
}

TEST_F(DecisionFileTest, RefusesAnEpochDecidedTwice) {
    const std::string reason = refusal_after([](json& root) {
        root["decisions"][2]["rank"] = 0;
        root["decisions"][2]["index"] = 1;
    });
    EXPECT_TRUE(mentions(reason, "0#1 is decided twice")) << reason;
}

TEST_F(DecisionFileTest, NamesTheFirstDifferenceToTheProgram) {
    const DecisionFile file = sample();
    const auto difference = [&file](const std::string& fingerprint, int processes,
                                    const std::vector<std::string>& arguments) -> std::string {
        try {
            require_same_program(file, fingerprint, processes, arguments);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(difference("abc123", 4, file.arguments), "");
    EXPECT_TRUE(mentions(difference("abc124", 5, {}), "another program"));
    EXPECT_TRUE(mentions(difference("abc123", 5, {}), "4 processes, not 5"));
    EXPECT_TRUE(mentions(difference("abc123", 4, {"--size", "9 rows", ""}), "argument 2 was '8 rows', not '9 rows'"));
    EXPECT_TRUE(mentions(difference("abc123", 4, {"--size", "8 rows"}), "3 arguments"));
    EXPECT_TRUE(mentions(difference("abc123", 4, {"--size", "8 rows", "", "x"}), "not 4"));
}

TEST(EpochNames, AreOneToOne) {
    for (std::uint8_t number = 0; number <= static_cast<std::uint8_t>(last_epoch_kind); ++number) {
        const auto kind = static_cast<EpochKind>(number);
        EXPECT_EQ(epoch_kind_of(epoch_kind_name(kind)), kind);
    }
    EXPECT_FALSE(epoch_kind_of("send"));
    EXPECT_EQ(clock_of("vector"), clocks::Protocol::vector);
    EXPECT_EQ(clock_of(clock_name(clocks::Protocol::lamport)), clocks::Protocol::lamport);
    EXPECT_FALSE(clock_of("auto"));
    EXPECT_THROW(static_cast<void>(epoch_kind_name(static_cast<EpochKind>(77))), InternalError);
}

}  // namespace
}  // namespace dampi::replay
