// Reading and writing decision files; see decision_file.hpp. What is read may be damaged or written by
// hand, so every field is checked before it is believed.
#include "replay/decision_file.hpp"

#include "replay/lined_file.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "replay/decision_threads.hpp"
#include "replay/epoch_names.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace dampi::replay {

namespace {

using Json = nlohmann::json;

constexpr std::string_view format_prefix = "dampi-decisions/";
constexpr std::string_view format_name = "dampi-decisions/3";

/// Far above any real file; keeps a wrong file name (a device, a core dump) from filling the memory.
constexpr std::size_t largest_file = std::size_t{512} << 20;

/// What is wrong with a file's content; the caller adds the file's name.
struct Refusal {
    std::string reason;
    std::string pointer = {};  ///< to what is wrong, as in JSON: "/decisions/3/rank"
};

std::string at_field(const char* name) { return std::string("/") + name; }

std::string hex_of(const std::string& bytes) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::optional<std::string> bytes_of(const std::string& hex) {
    const auto digit = [](char c) -> int {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    if (hex.size() % 2 != 0) {
        return std::nullopt;
    }
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const int high = digit(hex[i]);
        const int low = digit(hex[i + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

/// Paths and arguments are bytes, JSON's strings are UTF-8: what is not UTF-8 becomes {"hex": ...}.
Json text_to_json(const std::string& text) {
    Json plain = text;
    try {
        static_cast<void>(plain.dump());
        return plain;
    } catch (const Json::type_error&) {
        return Json{{"hex", hex_of(text)}};
    }
}

std::string text_from_json(const Json& value, const std::string& name) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_object() && value.size() == 1 && value.contains("hex") && value["hex"].is_string()) {
        if (auto bytes = bytes_of(value["hex"].get<std::string>())) {
            return *bytes;
        }
    }
    throw Refusal{name + " is not a string"};
}

const Json& field(const Json& object, const char* name, std::string_view of) {
    const auto found = object.find(name);
    if (found == object.end()) {
        throw Refusal{std::string(of) + "the field '" + name + "' is missing"};
    }
    return *found;
}

std::string text_field(const Json& object, const char* name, const std::string& of, bool may_be_empty) {
    std::string text = text_from_json(field(object, name, of), of + "the field '" + name + "'");
    if (text.empty() && !may_be_empty) {
        throw Refusal{of + "the field '" + name + "' is empty", at_field(name)};
    }
    return text;
}

/// A whole number in [low, high]. JSON's 1.0 is not one.
template <typename Integer>
Integer number_field(const Json& object, const char* name, const std::string& of, Integer low, Integer high) {
    const Json& value = field(object, name, of);
    const std::string named = of + "the field '" + name + "'";
    if (!value.is_number_integer()) {
        throw Refusal{named + " is not a whole number", at_field(name)};
    }
    bool in_range = false;
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        in_range = std::cmp_less_equal(low, number) && std::cmp_less_equal(number, high);
    } else {
        const auto number = value.get<std::int64_t>();
        in_range = std::cmp_less_equal(low, number) && std::cmp_less_equal(number, high);
    }
    if (!in_range) {
        throw Refusal{
            named + " is " + value.dump() + ", not between " + std::to_string(low) + " and " + std::to_string(high),
            at_field(name)};
    }
    return value.get<Integer>();
}

std::string read_all(const std::filesystem::path& path) {
    const auto fail = [&path](int error) {
        throw Error("cannot read the decision file '" + path.string() + "': " + std::strerror(error));
    };
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(errno);
    }
    struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } closer{descriptor};
    std::string content;
    std::string buffer(65536, '\0');
    for (;;) {
        const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
        if (got == 0) {
            return content;
        }
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail(errno);
        }
        content.append(buffer.data(), static_cast<std::size_t>(got));
        if (content.size() > largest_file) {
            throw Error("the decision file '" + path.string() + "' is too large to be one");
        }
    }
}

bool flag_field(const Json& object, const char* name, const std::string& of) {
    const Json& value = field(object, name, of);
    if (!value.is_boolean()) {
        throw Refusal{of + "the field '" + name + "' is not true or false", at_field(name)};
    }
    return value.get<bool>();
}

/// The request positions of a choice, ascending.
std::vector<std::uint32_t> completed_from_json(const Json& list, const std::string& of) {
    if (!list.is_array()) {
        throw Refusal{of + "the field 'completed' is not an array"};
    }
    std::vector<std::uint32_t> completed;
    for (const Json& position : list) {
        if (!position.is_number_unsigned() ||
            position.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
            throw Refusal{of + "the field 'completed' holds " + position.dump() + ", which is no request's position"};
        }
        completed.push_back(position.get<std::uint32_t>());
        if (completed.size() > 1 && completed[completed.size() - 2] >= completed.back()) {
            throw Refusal{of + "the positions in the field 'completed' do not ascend"};
        }
    }
    return completed;
}

void read_outcome(const Json& entry, const std::string& of, int processes, Decision& decision) {
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    Outcome& outcome = decision.outcome;
    const Json& message = field(entry, "message", of);
    if (message.is_object()) {
        const std::string of_message = of + "in the field 'message' ";
        outcome.source = number_field<Rank>(message, "source", of_message, 0, processes - 1);
        outcome.number =
            number_field<std::uint64_t>(message, "number", of_message, 0, std::numeric_limits<std::uint64_t>::max());
        outcome.tag = number_field<Tag>(message, "tag", of_message, 0, std::numeric_limits<Tag>::max());
    } else if (!message.is_null()) {
        throw Refusal{of + "the field 'message' is neither an object nor null"};
    }
    outcome.completed = completed_from_json(field(entry, "completed", of), of);
    outcome.false_answers = number_field<std::uint32_t>(entry, "false_answers", of, 0, most);
    if (entry.contains("poll")) {
        outcome.poll = number_field<std::uint32_t>(entry, "poll", of, 0, most_polls - 1);
    }
    decision.open = flag_field(entry, "open", of);
    decision.additional = number_field<std::uint32_t>(entry, "additional", of, 0, outcome.false_answers);

    if (entry.contains("released")) {
        outcome.released = number_field<std::uint32_t>(entry, "released", of, 0, outcome.false_answers);
    }
    if (entry.contains("at_least")) {
        decision.at_least = number_field<std::uint32_t>(entry, "at_least", of, 0, outcome.false_answers);
    }
    decision.counted = entry.contains("counted") && flag_field(entry, "counted", of);

    const std::string kind(epoch_kind_name(decision.kind));
    const bool chooses = chooses_message(decision.kind);
    if (message.is_object() && !chooses) {
        throw Refusal{of + "the kind '" + kind + "' cannot choose a message"};
    }
    if (!outcome.completed.empty() && chooses) {
        throw Refusal{of + "the kind '" + kind + "' cannot report requests"};
    }
    if (outcome.completed.size() > 1 && !reports_several(decision.kind)) {
        throw Refusal{of + "the kind '" + kind + "' cannot report more than one request"};
    }
    if (!is_polling(decision.kind) && (outcome.false_answers != 0 || outcome.poll != 0 || decision.open)) {
        throw Refusal{of + "the kind '" + kind + "' does not poll, so it has no false answers and is not open"};
    }
    if (decision.open && !outcome.gave_up()) {
        throw Refusal{of + "the outcome is open and decided at once"};
    }
    if (outcome.gave_up() && !may_come_to_nothing(decision.kind)) {
        throw Refusal{of + "the kind '" + kind + "' has no outcome"};
    }
    if (outcome.source != base::any_source && decision.tag != base::any_tag && decision.tag != outcome.tag) {
        throw Refusal{of + "the message's tag is not the one that is asked for"};
    }
}

/// Pairs of a thread's name and the number of its operations.
ThreadOrder threads_from_json(const Json& list, const std::string& of) {
    constexpr auto is_number = [](const Json& value) {
        return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
    };
    if (!list.is_array()) {
        throw Refusal{of + "the field 'threads' is not an array"};
    }
    ThreadOrder::Turns turns;
    for (const Json& turn : list) {
        if (!turn.is_array() || turn.size() != 2 || !is_number(turn[0]) || !is_number(turn[1])) {
            throw Refusal{of + "the field 'threads' holds " + turn.dump() +
                          ", which is no thread's name and number of operations"};
        }
        turns.push_back({.thread = turn[0].get<ThreadName>(), .operations = turn[1].get<std::uint32_t>()});
    }
    return ThreadOrder(std::move(turns));
}

Decision decision_from_json(const Json& entry, std::size_t position, int processes) {
    const std::string of = "in decision " + std::to_string(position + 1) + " ";
    if (!entry.is_object()) {
        throw Refusal{"decision " + std::to_string(position + 1) + " is not an object"};
    }
    Decision decision;
    decision.epoch.rank = number_field<Rank>(entry, "rank", of, 0, processes - 1);
    decision.epoch.index =
        number_field<std::uint32_t>(entry, "index", of, 0, std::numeric_limits<std::uint32_t>::max());
    const std::string kind = text_field(entry, "kind", of, false);
    const auto known = epoch_kind_of(kind);
    if (!known) {
        throw Refusal{of + "the kind '" + kind + "' is unknown"};
    }
    decision.kind = *known;
    decision.comm = number_field<CommId>(entry, "communicator", of, 0, std::numeric_limits<CommId>::max());
    decision.tag = number_field<Tag>(entry, "tag", of, base::any_tag, std::numeric_limits<Tag>::max());
    read_outcome(entry, of, processes, decision);
    if (entry.contains("threads")) {
        decision.threads = threads_from_json(entry["threads"], of);
    }
    return decision;
}

DecisionFile content_of(const Json& root) {
    if (!root.is_object() || !root.contains("format") || !root["format"].is_string()) {
        throw Refusal{"it has no field 'format', so it is none"};
    }
    const auto format = root["format"].get<std::string>();
    if (!format.starts_with(format_prefix)) {
        throw Refusal{"its format is '" + format + "', not '" + std::string(format_name) + "'"};
    }
    if (format == "dampi-decisions/1" || format == "dampi-decisions/2") {
        throw Refusal{"an earlier version of dampi-run wrote it ('" + format + "', not '" + std::string(format_name) +
                      "'): run the sweep again"};
    }
    if (format != format_name) {
        throw Refusal{"its format is '" + format + "', and this dampi-run reads only '" + std::string(format_name) +
                      "'"};
    }
    DecisionFile file;
    file.program = text_field(root, "program", "", false);
    file.fingerprint = text_field(root, "fingerprint", "", false);
    const Json& arguments = field(root, "arguments", "");
    if (!arguments.is_array()) {
        throw Refusal{"the field 'arguments' is not an array"};
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        file.arguments.push_back(text_from_json(arguments[i], "argument " + std::to_string(i + 1)));
    }
    file.processes = number_field<int>(root, "processes", "", 1, std::numeric_limits<int>::max());
    const std::string clock = text_field(root, "clock", "", false);
    const auto protocol = clock_of(clock);
    if (!protocol) {
        throw Refusal{"the clock '" + clock + "' is unknown", at_field("clock")};
    }
    file.clock = *protocol;
    if (root.contains("engine")) {
        const std::string engine = text_field(root, "engine", "", false);
        const auto kind = engine_of(engine);
        if (!kind) {
            throw Refusal{"the engine '" + engine + "' is unknown", at_field("engine")};
        }
        file.engine = *kind;
    }
    const std::string buffering = text_field(root, "buffering", "", false);
    const auto mode = buffering_of(buffering);
    if (!mode) {
        throw Refusal{"the buffering '" + buffering + "' is unknown", at_field("buffering")};
    }
    file.interleaving.buffering = *mode;
    // What was written before there was a choice has no such field.
    file.patched_mpi = root.contains("patched_mpi") && flag_field(root, "patched_mpi", "");
    if (root.contains("piggyback")) {
        const std::string piggyback = text_field(root, "piggyback", "", false);
        const auto kind = piggyback_of(piggyback);
        if (!kind) {
            throw Refusal{"the piggyback '" + piggyback + "' is unknown", at_field("piggyback")};
        }
        file.piggyback = *kind;
    }
    file.virtual_time = flag_field(root, "virtual_time", "");
    file.checks_buffers = root.contains("checks_buffers") && flag_field(root, "checks_buffers", "");
    file.explore_polls = number_field<std::uint32_t>(root, "explore_polls", "", 0, most_explored_polls);
    constexpr std::int64_t most_milliseconds = 10'000'000'000'000;
    file.hang_limit =
        std::chrono::milliseconds(number_field<std::int64_t>(root, "hang_limit_ms", "", 0, most_milliseconds));
    file.livelock_limit =
        std::chrono::milliseconds(number_field<std::int64_t>(root, "livelock_limit_ms", "", 1, most_milliseconds));
    if (const std::string finding = text_field(root, "finding", "", true); !finding.empty()) {
        file.finding = violation_kind_of(finding);
        if (!file.finding) {
            throw Refusal{"the finding '" + finding + "' is unknown", at_field("finding")};
        }
    }
    file.portability = root.contains("portability") && flag_field(root, "portability", "");
    file.interleaving.number =
        number_field<std::uint64_t>(root, "interleaving", "", 1, std::numeric_limits<std::uint64_t>::max());
    const Json& decisions = field(root, "decisions", "");
    if (!decisions.is_array()) {
        throw Refusal{"the field 'decisions' is not an array"};
    }
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        try {
            file.interleaving.decisions.push_back(decision_from_json(decisions[i], i, file.processes));
        } catch (const Refusal& refusal) {
            throw Refusal{refusal.reason, at_field("decisions") + "/" + std::to_string(i) + refusal.pointer};
        }
    }
    auto& sorted = file.interleaving.decisions;
    std::sort(sorted.begin(), sorted.end(), by_epoch);
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end(),
                                          [](const Decision& a, const Decision& b) { return a.epoch == b.epoch; });
    if (twice != sorted.end()) {
        throw Refusal{"the epoch " + std::to_string(twice->epoch.rank) + "#" + std::to_string(twice->epoch.index) +
                      " is decided twice"};
    }
    return file;
}

}  // namespace

void save_decision_file(const std::filesystem::path& path, const DecisionFile& content) {
    Json decisions = Json::array();
    const auto& all = content.interleaving.decisions;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Decision& decision = all[i];
        Json message = nullptr;
        if (decision.outcome.source != base::any_source) {
            message = {{"source", decision.outcome.source},
                       {"number", decision.outcome.number},
                       {"tag", decision.outcome.tag}};
        }
        decisions.push_back({{"rank", decision.epoch.rank},
                             {"index", decision.epoch.index},
                             {"kind", epoch_kind_name(decision.kind)},
                             {"communicator", decision.comm},
                             {"tag", decision.tag},
                             {"message", std::move(message)},
                             {"completed", decision.outcome.completed},
                             {"false_answers", decision.outcome.false_answers},
                             {"open", decision.open},
                             {"additional", decision.additional}});
        if (decision.outcome.poll != 0) {
            decisions.back()["poll"] = decision.outcome.poll;
        }
        if (decision.outcome.released != 0) {
            decisions.back()["released"] = decision.outcome.released;
        }
        if (decision.at_least != 0) {
            decisions.back()["at_least"] = decision.at_least;
        }
        if (decision.counted) {
            decisions.back()["counted"] = true;
        }
        // The rank's last decision has what its earlier ones have.
        if (is_last_with_threads(all, i)) {
            Json turns = Json::array();
            for (const ThreadTurn& turn : decision.threads.turns()) {
                turns.push_back({turn.thread, turn.operations});
            }
            decisions.back()["threads"] = std::move(turns);
        }
    }
    Json arguments = Json::array();
    for (const std::string& argument : content.arguments) {
        arguments.push_back(text_to_json(argument));
    }
    const Json root{{"format", format_name},
                    {"program", text_to_json(content.program)},
                    {"fingerprint", text_to_json(content.fingerprint)},
                    {"arguments", std::move(arguments)},
                    {"processes", content.processes},
                    {"clock", clock_name(content.clock)},
                    {"engine", engine_name(content.engine)},
                    {"buffering", buffering_name(content.interleaving.buffering)},
                    {"patched_mpi", content.patched_mpi},
                    {"piggyback", piggyback_name(content.piggyback)},
                    {"virtual_time", content.virtual_time},
                    {"checks_buffers", content.checks_buffers},
                    {"explore_polls", content.explore_polls},
                    {"hang_limit_ms", content.hang_limit.count()},
                    {"livelock_limit_ms", content.livelock_limit.count()},
                    {"finding", content.finding ? text_of(*content.finding) : ""},
                    {"portability", content.portability},
                    {"interleaving", content.interleaving.number},
                    {"decisions", std::move(decisions)}};
    base::write_file_atomically(path, root.dump(2) + "\n");
}

DecisionFile load_decision_file(const std::filesystem::path& path) {
    const std::string text = read_all(path);
    const Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    // Only of what is wrong somebody wants to know the line.
    const auto refuse = [&](const std::string& pointer, const std::string& reason) {
        try {
            read_lined_json(text, path.string()).fail(pointer, reason);
        } catch (const Error& error) {
            throw Error("the decision file cannot be used: " + std::string(error.what()));
        }
    };
    if (root.is_discarded()) {
        refuse("", "");
    }
    try {
        return content_of(root);
    } catch (const Refusal& refusal) {
        refuse(refusal.pointer, refusal.reason);
    }
    check_failed("what is refused is an error", __FILE__, __LINE__);
}

void require_same_program(const DecisionFile& file, const std::string& fingerprint, int processes,
                          const std::vector<std::string>& arguments) {
    if (file.fingerprint != fingerprint) {
        throw Error("the decision file was made for another program, or another build of it: '" + file.program +
                    "' with fingerprint " + file.fingerprint + ", not " + fingerprint +
                    "; for a program that has been changed since: --corpus DIR, the file's directory, makes its runs "
                    "first and tells which still show what they did");
    }
    if (file.processes != processes) {
        throw Error("the decision file was made for " + std::to_string(file.processes) + " processes, not " +
                    std::to_string(processes));
    }
    const std::size_t common = std::min(file.arguments.size(), arguments.size());
    for (std::size_t i = 0; i < common; ++i) {
        if (file.arguments[i] != arguments[i]) {
            throw Error("the decision file was made for other arguments: argument " + std::to_string(i + 1) + " was '" +
                        file.arguments[i] + "', not '" + arguments[i] + "'");
        }
    }
    if (file.arguments.size() != arguments.size()) {
        throw Error("the decision file was made for " + std::to_string(file.arguments.size()) +
                    " arguments of the program, not " + std::to_string(arguments.size()));
    }
}

}  // namespace dampi::replay
