// See suite_history.hpp.
#include "scheduler/suite/suite_history.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "base/hash.hpp"
#include "launch/program/program.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dampi::scheduler {
namespace {

using Json = nlohmann::json;

constexpr const char* format_name = "dampi-suite-history/1";

}  // namespace

SuiteHistory SuiteHistory::read(const std::filesystem::path& file) {
    SuiteHistory history;
    std::ifstream in(file, std::ios::binary);
    try {
        const Json root = Json::parse(in);
        if (root.at("format") == format_name) {
            for (const auto& [id, entry] : root.at("sweeps").items()) {
                history.set(id, {.status = entry.at("status").get<int>(),
                                 .fingerprint = entry.at("fingerprint").get<std::string>()});
            }
        }
    } catch (const Json::exception&) {
        return {};  // it is only about the order
    }
    return history;
}

void SuiteHistory::write(const std::filesystem::path& file) const {
    Json sweeps = Json::object();
    for (const auto& [id, entry] : entries_) {
        sweeps[id] = {{"status", entry.status}, {"fingerprint", entry.fingerprint}};
    }
    base::write_file_atomically(file, Json{{"format", format_name}, {"sweeps", std::move(sweeps)}}.dump(2) + "\n");
}

void SuiteHistory::keep(const std::vector<SuiteSweep>& sweeps) {
    std::erase_if(entries_, [&](const auto& entry) {
        return std::none_of(sweeps.begin(), sweeps.end(),
                            [&](const SuiteSweep& sweep) { return sweep.id == entry.first; });
    });
}

std::vector<SuiteSweep> SuiteHistory::ordered(const std::vector<SuiteSweep>& sweeps,
                                              const std::vector<std::string>& fingerprints) const {
    enum Urgency { failed, changed, same };
    const auto urgency = [&](std::size_t i) {
        const auto known = entries_.find(sweeps[i].id);
        if (known == entries_.end()) {
            return changed;
        }
        const bool passed = known->second.status == 0 || known->second.status == 3;
        return !passed ? failed : known->second.fingerprint != fingerprints[i] ? changed : same;
    };
    std::vector<std::size_t> places(sweeps.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return urgency(a) < urgency(b); });
    std::vector<SuiteSweep> all;
    for (const std::size_t i : places) {
        all.push_back(sweeps[i]);
    }
    return all;
}

std::string fingerprint_of(const SuiteSweep& sweep) {
    base::Hash hash;
    for (const std::vector<std::string>* words : {&sweep.options, &sweep.arguments}) {
        for (const std::string& word : *words) {
            hash.add(std::string_view(word)).add(std::string_view("\0", 1));
        }
        hash.add(std::string_view("\n"));
    }
    std::string program;
    try {
        program = launch::build_fingerprint(sweep.program);
    } catch (const Error&) {
        program = "unknown";  // dampi-run will say why
    }
    return fmt::format("{}-{:016x}", program, hash.value());
}

}  // namespace dampi::scheduler
