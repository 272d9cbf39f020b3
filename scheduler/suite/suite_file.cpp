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

constexpr const char* expect_option = "--expect";
constexpr const char* clean_word = "clean";  ///< of `expect`: nothing is to be found

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
        SuiteSweep common;
        if (root.contains("options")) {
            add_options(root["options"], "/options", common);
        }
        if (!root.contains("sweeps") || !root["sweeps"].is_array() || root["sweeps"].empty()) {
            file_.fail("/sweeps", "'sweeps' is to be a list of at least one sweep");
        }
        for (std::size_t i = 0; i < root["sweeps"].size(); ++i) {
            add(root["sweeps"][i], fmt::format("/sweeps/{}", i), common, suite);
        }
        return suite;
    }

private:
    void add(const Json& sweep, const std::string& at, const SuiteSweep& common, Suite& suite) const {
        require_object(sweep, at, "a sweep", {"name", "program", "arguments", "processes", "options", "expect"});
        SuiteSweep made = common;
        made.program = text(sweep, at, "program");
        made.place = file_.place(at + "/program");
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
        if (sweep.contains("options")) {
            add_options(sweep["options"], at + "/options", made);
        }
        if (sweep.contains("expect")) {
            add_expectation(sweep["expect"], at + "/expect", made);
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

    void add_options(const Json& value, const std::string& at, SuiteSweep& sweep) const {
        const std::vector<std::string> all = words(value, at, "'options'");
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::string here = fmt::format("{}/{}", at, i);
            if (refused_options.contains(std::string_view(all[i]).substr(0, all[i].find('=')))) {
                file_.fail(here, fmt::format("a sweep of a suite cannot have the option {}", all[i]));
            }
            sweep.options.push_back(all[i]);
            sweep.option_places.push_back(file_.place(here));
        }
    }

    void add_expectation(const Json& value, const std::string& at, SuiteSweep& sweep) const {
        const std::vector<std::string> kinds = words(value, at, "'expect'");
        const auto option = std::find_if(sweep.options.begin(), sweep.options.end(), [](const std::string& word) {
            return word == expect_option || word.starts_with(std::string(expect_option) + "=");
        });
        if (option != sweep.options.end()) {
            file_.fail(at, "the options of this sweep have --expect: leave it out there, or leave out 'expect'");
        }
        if (kinds.empty() || kinds == std::vector<std::string>{clean_word}) {
            return;
        }
        if (std::find(kinds.begin(), kinds.end(), clean_word) != kinds.end()) {
            file_.fail(at, "'clean' says that nothing is to be found: leave it out, or the kinds beside it");
        }
        sweep.options.insert(sweep.options.end(), {expect_option, fmt::format("{}", fmt::join(kinds, ","))});
        sweep.option_places.resize(sweep.options.size(), file_.place(at));
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
