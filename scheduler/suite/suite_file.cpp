// See suite_file.hpp.
#include "scheduler/suite/suite_file.hpp"

#include "base/check.hpp"
#include "scheduler/suite/lined_toml.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;

constexpr int most_processes = 1'000'000;
constexpr double most_seconds = 1e9;

/// What the suite gives itself, or what is for one sweep alone.
const std::set<std::string, std::less<>> refused_options{"-n",        "-np",       "-o",     "--output", "--replay",
                                                         "--resume",  "--suite",   "--open", "--help",   "-h",
                                                         "--explain", "--version", "--"};

class Reader {
public:
    explicit Reader(const replay::LinedFile& file) : file_(file) {}

    Suite suite() const {
        const Json& root = file_.value();
        require_object(root, "", "the suite", {"time_limit", "options", "sweeps"});
        Suite suite;
        if (root.contains("time_limit")) {
            suite.time_limit = time_limit(root["time_limit"]);
        }
        const std::vector<std::string> common =
            root.contains("options") ? options(root["options"], "/options") : std::vector<std::string>();
        if (!root.contains("sweeps") || !root["sweeps"].is_array() || root["sweeps"].empty()) {
            file_.fail("/sweeps", "'sweeps' is to be a list of at least one sweep");
        }
        for (std::size_t i = 0; i < root["sweeps"].size(); ++i) {
            add(root["sweeps"][i], fmt::format("/sweeps/{}", i), common, suite);
        }
        return suite;
    }

private:
    void add(const Json& sweep, const std::string& at, const std::vector<std::string>& common, Suite& suite) const {
        require_object(sweep, at, "a sweep", {"name", "program", "arguments", "processes", "options", "expect"});
        SuiteSweep made;
        made.program = text(sweep, at, "program");
        const std::string name =
            sweep.contains("name") ? text(sweep, at, "name") : std::filesystem::path(made.program).filename().string();
        const bool is_plain = !name.empty() && name.front() != '.' && name.front() != '-' &&
                              std::all_of(name.begin(), name.end(), [](unsigned char each) {
                                  return std::isalnum(each) != 0 || each == '.' || each == '_' || each == '-';
                              });
        if (!is_plain) {
            file_.fail(at + "/name",
                       "the name of a sweep is made of letters, digits, '.', '_' and '-': give it a 'name'");
        }
        if (sweep.contains("arguments")) {
            made.arguments = words(sweep["arguments"], at + "/arguments", "'arguments'");
        }
        made.options = common;
        if (sweep.contains("options")) {
            const std::vector<std::string> own = options(sweep["options"], at + "/options");
            made.options.insert(made.options.end(), own.begin(), own.end());
        }
        if (sweep.contains("expect")) {
            const std::vector<std::string> kinds = words(sweep["expect"], at + "/expect", "'expect'");
            if (!kinds.empty()) {
                made.options.insert(made.options.end(), {"--expect", fmt::format("{}", fmt::join(kinds, ","))});
            }
        }
        for (const int number : processes(sweep, at)) {
            made.processes = number;
            made.id = fmt::format("{}-n{}", name, number);
            if (std::any_of(suite.sweeps.begin(), suite.sweeps.end(),
                            [&](const SuiteSweep& other) { return other.id == made.id; })) {
                file_.fail(at, fmt::format("there are two sweeps {} with {} processes: give them names", name, number));
            }
            suite.sweeps.push_back(made);
        }
    }

    void require_object(const Json& value, const std::string& at, const char* what,
                        const std::set<std::string, std::less<>>& known) const {
        if (!value.is_object()) {
            file_.fail(at, fmt::format("{} is to be an object", what));
        }
        for (const auto& [name, member] : value.items()) {
            if (!known.contains(name)) {
                file_.fail(at + "/" + name, fmt::format("{} has no '{}', but: {}", what, name, fmt::join(known, ", ")));
            }
        }
    }

    std::chrono::milliseconds time_limit(const Json& value) const {
        if (!value.is_number() || value.get<double>() <= 0 || value.get<double>() > most_seconds) {
            file_.fail("/time_limit", "'time_limit' is to be a number of seconds above 0");
        }
        return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(value.get<double>() * 1000)));
    }

    std::string text(const Json& object, const std::string& at, const char* name) const {
        const auto found = object.find(name);
        if (found == object.end()) {
            file_.fail(at, fmt::format("'{}' is missing", name));
        }
        return word(*found, at + "/" + name, fmt::format("'{}'", name));
    }

    /// Nothing that a command line cannot have.
    std::string word(const Json& value, const std::string& at, const std::string& what) const {
        if (!value.is_string() || value.get<std::string>().empty() ||
            value.get<std::string>().find('\0') != std::string::npos) {
            file_.fail(at, what + " is to be text");
        }
        return value.get<std::string>();
    }

    std::vector<std::string> words(const Json& value, const std::string& at, const std::string& what) const {
        if (!value.is_array()) {
            file_.fail(at, what + " is to be a list of words");
        }
        std::vector<std::string> all;
        for (std::size_t i = 0; i < value.size(); ++i) {
            all.push_back(word(value[i], fmt::format("{}/{}", at, i), "each word of " + what));
        }
        return all;
    }

    std::vector<std::string> options(const Json& value, const std::string& at) const {
        std::vector<std::string> all = words(value, at, "'options'");
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (refused_options.contains(std::string_view(all[i]).substr(0, all[i].find('=')))) {
                file_.fail(fmt::format("{}/{}", at, i),
                           fmt::format("a sweep of a suite cannot have the option {}", all[i]));
            }
        }
        return all;
    }

    std::vector<int> processes(const Json& sweep, const std::string& at) const {
        const auto found = sweep.find("processes");
        if (found == sweep.end()) {
            file_.fail(at, "'processes' is missing: a number, or a list of numbers");
        }
        const Json list = found->is_array() ? *found : Json::array({*found});
        std::vector<int> numbers;
        for (const Json& number : list) {
            if (!number.is_number_integer() || number.get<std::int64_t>() < 1 ||
                number.get<std::int64_t>() > most_processes) {
                file_.fail(at + "/processes", "'processes' is to be a number from 1 on, or a list of such numbers");
            }
            numbers.push_back(number.get<int>());
        }
        if (numbers.empty()) {
            file_.fail(at + "/processes", "'processes' is an empty list");
        }
        return numbers;
    }

    const replay::LinedFile& file_;
};

}  // namespace

Suite parse_suite(std::string_view text, const std::string& name) {
    const replay::LinedFile file =
        name.ends_with(".toml") ? read_lined_toml(text, name) : replay::read_lined_json(text, name);
    return Reader(file).suite();
}

Suite read_suite(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
        throw Error("the suite " + file.string() +
                    " cannot be read: give a file in JSON or TOML with the list of sweeps");
    }
    return parse_suite(text.str(), file.string());
}

}  // namespace dampi::scheduler
