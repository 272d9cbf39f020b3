#include "piggyback/interception/function_table.hpp"

#include "base/check.hpp"

#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

namespace dampi::piggyback {
namespace {

constexpr std::array<std::pair<CallClass, std::string_view>, 13> class_names = {{
    {CallClass::pass_through, "pass_through"},
    {CallClass::tracked, "tracked"},
    {CallClass::communicator, "communicator"},
    {CallClass::point_to_point, "point_to_point"},
    {CallClass::collective, "collective"},
    {CallClass::one_sided, "one_sided"},
    {CallClass::completion, "completion"},
    {CallClass::polling, "polling"},
    {CallClass::time, "time"},
    {CallClass::lifecycle, "lifecycle"},
    {CallClass::not_modelled, "not_modelled"},
    {CallClass::by_hand, "by_hand"},
    {CallClass::not_exported, "not_exported"},
}};

}  // namespace

std::string_view to_string(CallClass call_class) {
    for (const auto& [value, name] : class_names) {
        if (value == call_class) {
            return name;
        }
    }
    DAMPI_CHECK(!"a CallClass has a name");
    return {};
}

std::optional<CallClass> call_class_from(std::string_view name) {
    for (const auto& [value, known] : class_names) {
        if (known == name) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<Treatment> treatment_from(std::string_view name) {
    return name == "passed"     ? std::optional(Treatment::passed)
           : name == "shared"   ? std::optional(Treatment::shared)
           : name == "answered" ? std::optional(Treatment::answered)
           : name == "refused"  ? std::optional(Treatment::refused)
                                : std::nullopt;
}

Treatment usual_treatment(CallClass call_class) {
    switch (call_class) {
        case CallClass::pass_through:
        case CallClass::by_hand:
        case CallClass::not_exported:
            return Treatment::passed;
        case CallClass::tracked:
        case CallClass::time:
            return Treatment::shared;
        case CallClass::communicator:
        case CallClass::point_to_point:
        case CallClass::collective:
        case CallClass::completion:
        case CallClass::polling:
        case CallClass::lifecycle:
            return Treatment::answered;
        case CallClass::one_sided:
        case CallClass::not_modelled:
            return Treatment::refused;
    }
    return Treatment::refused;
}

bool has_wrapper(CallClass call_class) {
    return call_class != CallClass::pass_through && call_class != CallClass::by_hand &&
           call_class != CallClass::not_exported;
}

bool ends_polling(CallClass call_class) {
    return has_wrapper(call_class) && call_class != CallClass::polling && call_class != CallClass::time;
}

bool communicates(CallClass call_class) {
    switch (call_class) {
        case CallClass::communicator:
        case CallClass::point_to_point:
        case CallClass::collective:
        case CallClass::one_sided:
        case CallClass::completion:
        case CallClass::polling:
        case CallClass::not_modelled:
            return true;
        case CallClass::pass_through:
        case CallClass::tracked:
        case CallClass::time:
        case CallClass::lifecycle:
        case CallClass::by_hand:
        case CallClass::not_exported:
            return false;
    }
    return true;
}

bool has_body(CallClass call_class) { return has_wrapper(call_class) && call_class != CallClass::not_modelled; }

std::vector<TableLine> parse_table(std::string_view text, const std::string& file) {
    static const std::regex blank(R"(^\s*(//.*)?$)");
    static const std::regex entry(R"(^\s*(FUNCTION|NEWER)\(\s*(MPI_\w+)\s*,\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)\s*(//.*)?$)");

    std::vector<TableLine> table;
    std::map<std::string, int> first_line;
    std::istringstream lines{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (std::regex_match(line, blank)) {
            continue;
        }
        const std::string place = file + ":" + std::to_string(number) + ": ";
        std::smatch match;
        if (!std::regex_match(line, match, entry)) {
            throw Error(
                place +
                "expected FUNCTION(MPI_name, class) or FUNCTION(MPI_name, class, treatment), or NEWER, found: " + line);
        }
        const std::string function = match[2];
        const auto call_class = call_class_from(match[3].str());
        if (!call_class) {
            throw Error(place + "unknown class '" + match[3].str() + "' of " + function);
        }
        if (const auto [known, fresh] = first_line.emplace(function, number); !fresh) {
            throw Error(place + function + " was already classified in line " + std::to_string(known->second));
        }
        const auto treatment = match[4].matched ? treatment_from(match[4].str()) : usual_treatment(*call_class);
        if (!treatment) {
            throw Error(place + "unknown treatment '" + match[4].str() + "' of " + function);
        }
        table.push_back({function, *call_class, *treatment, number, match[1] == "NEWER"});
    }
    return table;
}

std::vector<TableLine> without_undeclared_newer(std::vector<TableLine> table,
                                                const std::map<std::string, Prototype>& prototypes) {
    std::erase_if(table, [&](const TableLine& line) { return line.newer && !prototypes.contains(line.function); });
    return table;
}

std::string body_name(std::string_view function) {
    DAMPI_CHECK(function.starts_with("MPI_"));
    std::string name;
    for (char c : function.substr(4)) {
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

}  // namespace dampi::piggyback
