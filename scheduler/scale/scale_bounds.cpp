#include "scheduler/scale/scale_bounds.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "base/system_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler::scale {
namespace {

using Json = nlohmann::json;

constexpr int file_version = 1;
constexpr std::array<std::string_view, 5> form_names{"snP", "nP", "sn", "n", "this size"};

/// What the ranks' buffers are together, in blocks of one rank's elements.
std::int64_t blocks_of(std::string_view collective, std::int64_t processes) {
    const auto is = [&](std::string_view name) { return collective == name || collective == fmt::format("{}v", name); };
    return is("Bcast")                                     ? processes
           : is("Gather") || is("Scatter") || is("Reduce") ? 2 * processes
           : is("Allgather")                               ? processes * (processes + 1)
           : is("Alltoall")                                ? 2 * processes * processes
           : is("Allreduce")                               ? 2 * processes
           : is("Reduce_scatter_block")                    ? processes * (processes + 1)
                                                           : 0;
}

/// "Gather" of "MPI_Igather".
std::string blocking_name(const std::string& collective) {
    constexpr std::string_view beginning = "MPI_";
    std::string name = collective.substr(std::min(beginning.size(), collective.size()));
    if (name.size() > 1 && name[0] == 'I' && name[1] >= 'a' && name[1] <= 'z') {
        name.erase(0, 1);
        name[0] = static_cast<char>(name[0] - 'a' + 'A');
    }
    return name;
}

bool alike(std::int64_t one, std::int64_t other) {
    constexpr std::int64_t share = 8;
    return std::max(one, other) - std::min(one, other) < std::max(one, other) / share;
}

Form form_of(const Measured& base, const std::optional<Measured>& twice_processes,
             const std::optional<Measured>& twice_element) {
    if (!twice_processes || !twice_element || !twice_processes->fails || !twice_element->fails) {
        return Form::this_size;
    }
    const std::int64_t whole = base.passes;
    const std::int64_t half = base.passes / 2;
    const std::int64_t with_processes = twice_processes->passes;
    const std::int64_t with_element = twice_element->passes;
    return alike(with_processes, half) && alike(with_element, half)     ? Form::bytes_of_all
           : alike(with_processes, half) && alike(with_element, whole)  ? Form::elements_of_all
           : alike(with_processes, whole) && alike(with_element, half)  ? Form::bytes_of_one
           : alike(with_processes, whole) && alike(with_element, whole) ? Form::elements_of_one
                                                                        : Form::this_size;
}

Json to_json(const ScaleBounds& bounds) {
    Json measured = Json::array();
    for (const Measured& each : bounds.measured) {
        measured.push_back({{"collective", each.collective},
                            {"processes", each.processes},
                            {"element_bytes", each.element},
                            {"passes", each.passes},
                            {"fails", each.fails ? Json(*each.fails) : Json(nullptr)},
                            {"why", each.why}});
    }
    Json found = Json::array();
    for (const Bound& each : bounds.bounds) {
        found.push_back({{"collective", each.collective},
                         {"form", form_names.at(static_cast<std::size_t>(each.form))},
                         {"most", each.most},
                         {"processes", each.processes},
                         {"element_bytes", each.element}});
    }
    return {{"dampi_scale", file_version},
            {"library", bounds.library},
            {"measured", std::move(measured)},
            {"bounds", std::move(found)}};
}

/// A whole number that is not negative.
std::int64_t number(const Json& object, const char* name) {
    const Json& value = object.at(name);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0) {
        throw Error(fmt::format("'{}' is no whole number from 0 on", name));
    }
    return value.get<std::int64_t>();
}

int processes_in(const Json& object) {
    constexpr std::int64_t most = 1 << 24;
    const std::int64_t processes = number(object, "processes");
    if (processes > most) {
        throw Error(fmt::format("'processes' is more than {}", most));
    }
    return static_cast<int>(processes);
}

std::string collective_in(const Json& object) {
    auto name = object.at("collective").get<std::string>();
    if (!memory_of(name, 1, 1, 1)) {
        throw Error("'collective' is none that dampi-scale measures: " + name);
    }
    return name;
}

Form form_in(const Json& object) {
    const auto name = object.at("form").get<std::string>();
    const auto* const found = std::find(form_names.begin(), form_names.end(), name);
    if (found == form_names.end()) {
        throw Error("'form' is none of snP, nP, sn, n and this size: " + name);
    }
    return static_cast<Form>(found - form_names.begin());
}

ScaleBounds from_json(const Json& root) {
    if (!root.is_object() || !root.contains("dampi_scale")) {
        throw Error("it is none that dampi-scale has written");
    }
    if (number(root, "dampi_scale") != file_version) {
        throw Error(fmt::format("it is of another version ('dampi_scale' is not {})", file_version));
    }
    ScaleBounds bounds;
    bounds.library = root.at("library").get<std::string>();
    for (const Json& each : root.at("measured")) {
        const Json& fails = each.at("fails");
        bounds.measured.push_back({.collective = collective_in(each),
                                   .processes = processes_in(each),
                                   .element = number(each, "element_bytes"),
                                   .passes = number(each, "passes"),
                                   .fails = fails.is_null() ? std::nullopt : std::optional(number(each, "fails")),
                                   .why = each.at("why").get<std::string>()});
    }
    for (const Json& each : root.at("bounds")) {
        bounds.bounds.push_back({.collective = collective_in(each),
                                 .form = form_in(each),
                                 .most = number(each, "most"),
                                 .processes = processes_in(each),
                                 .element = number(each, "element_bytes")});
    }
    return bounds;
}

}  // namespace

Bound bound_of(const Measured& base, const std::optional<Measured>& twice_processes,
               const std::optional<Measured>& twice_element) {
    Bound bound{.collective = base.collective, .form = form_of(base, twice_processes, twice_element)};
    switch (bound.form) {
        case Form::bytes_of_all:
            bound.most = base.passes * base.element * base.processes;
            break;
        case Form::elements_of_all:
            bound.most = base.passes * base.processes;
            break;
        case Form::bytes_of_one:
            bound.most = base.passes * base.element;
            break;
        case Form::elements_of_one:
            bound.most = base.passes;
            break;
        case Form::this_size:
            bound.most = base.passes;
            bound.processes = base.processes;
            bound.element = base.element;
            break;
    }
    return bound;
}

std::optional<std::int64_t> memory_of(const std::string& collective, int processes, std::int64_t element,
                                      std::int64_t elements) {
    const std::int64_t blocks = blocks_of(blocking_name(collective), processes);
    return blocks == 0 ? std::nullopt : std::optional(blocks * element * elements);
}

const std::vector<std::string>& known_collectives() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> names;
        for (const char* name : {"bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
                                 "alltoall", "alltoallv", "reduce", "allreduce", "reduce_scatter_block"}) {
            std::string blocking = name;
            blocking[0] = static_cast<char>(blocking[0] - 'a' + 'A');
            names.push_back("MPI_" + blocking);
            names.push_back(fmt::format("MPI_I{}", name));
        }
        return names;
    }();
    return all;
}

ScaleBounds read_scale_bounds(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        base::fail("cannot read " + file.string() + ", the bounds of dampi-scale", errno);
    }
    std::ostringstream text;
    text << in.rdbuf();
    try {
        return from_json(Json::parse(text.str()));
    } catch (const Json::exception& error) {
        throw Error(fmt::format("{} is not what dampi-scale writes: {}", file.string(), error.what()));
    } catch (const Error& error) {
        throw Error(fmt::format("{} is not what dampi-scale writes: {}", file.string(), error.what()));
    }
}

void write_scale_bounds(const std::filesystem::path& file, const ScaleBounds& bounds) {
    base::write_file_atomically(file, to_json(bounds).dump(2) + "\n");
}

std::string words_of(const std::vector<Bound>& bounds) {
    std::string words;
    for (const Bound& each : bounds) {
        words += fmt::format("{} {} {} {} {};", each.collective, static_cast<int>(each.form), each.most, each.processes,
                             each.element);
    }
    return words;
}

const char* text_of(Form form) {
    switch (form) {
        case Form::bytes_of_all:
            return "bytes of all ranks (s*n*P)";
        case Form::elements_of_all:
            return "elements of all ranks (n*P)";
        case Form::bytes_of_one:
            return "bytes of a rank (s*n)";
        case Form::elements_of_one:
            return "elements of a rank (n)";
        case Form::this_size:
            break;
    }
    return "elements of a rank, with these processes and bytes";
}

}  // namespace dampi::scheduler::scale
