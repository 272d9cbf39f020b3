#include "scheduler/order/order_effects.hpp"

#include "scheduler/order/moments_of_run.hpp"
#include "transport/requests/moments.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using launch::NamedBytes;
using Kind = NamedBytes::Kind;

constexpr std::size_t most_pairs_tried = 64;
constexpr std::size_t most_effects = 8;
constexpr std::size_t most_differences = 1'000'000;
constexpr std::size_t most_variables = 16;
constexpr std::size_t most_taken = 12;

/// A part of a variable with what is there in both runs.
struct ChangedPart {
    NamedBytes part;
    std::vector<std::uint8_t> one;
    std::vector<std::uint8_t> other;
};

/// A moment to which the rank comes in both runs, from 1 on in each.
struct CommonMoment {
    std::uint32_t one = 0;
    std::uint32_t other = 0;
    auto operator<=>(const CommonMoment&) const = default;
};

bool same_stack(const MomentOfRank& a, const MomentOfRank& b) {
    return a.stack_end == b.stack_end && a.frames.size() == b.frames.size() &&
           std::equal(a.frames.begin(), a.frames.end(), b.frames.begin(),
                      [](const auto& x, const auto& y) { return x.pc == y.pc && x.sp == y.sp && x.cfa == y.cfa; });
}

bool same_call(const MomentOfRank& a, const MomentOfRank& b) {
    return a.function == b.function && a.site == b.site && same_stack(a, b);
}

/// Whether the innermost function of `then` is still the one that waits, or has called who waits.
bool still_there(const MomentOfRank& then, const MomentOfRank& now) {
    if (then.frames.empty()) {
        return false;
    }
    const std::uint64_t cfa = then.frames.front().cfa;
    const std::size_t outer = then.frames.size() - 1;
    return now.frames.size() >= outer + 1 && now.frames[now.frames.size() - 1 - outer].cfa == cfa;
}

/// System libraries, MPI's and ours have no variables of the program's.
bool is_programs(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return path.starts_with('/') && !path.starts_with("/lib/") && !path.starts_with("/lib64/") &&
           !path.starts_with("/usr/lib") && !path.starts_with("/memfd:") && !path.starts_with("/dev/") &&
           !name.starts_with("libdampi") && !name.starts_with("libmpi") && !name.starts_with("libpmpi");
}

/// Of a file whose first bytes are mapped first; the bias is right for executables and libraries that are linked from
/// address 0 on, and for others that lie where they were linked.
std::vector<launch::LoadedModule> modules_in(const std::vector<MappedFile>& mappings) {
    std::map<std::string, launch::LoadedModule> by_path;
    for (const MappedFile& each : mappings) {
        if (!is_programs(each.path)) {
            continue;
        }
        const auto [at, is_new] = by_path.try_emplace(
            each.path, launch::LoadedModule{.path = each.path, .begin = each.begin, .end = 0, .bias = 0});
        at->second.end = std::max(at->second.end, each.end);
        if (is_new && each.offset != 0) {
            at->second.path.clear();
        }
    }
    // What follows without a file's name is the rest of its variables, which are zero at first.
    for (std::size_t i = 1; i < mappings.size(); ++i) {
        const MappedFile& each = mappings[i];
        const auto before = by_path.find(mappings[i - 1].path);
        if (each.path.empty() && each.writable && mappings[i - 1].end == each.begin && before != by_path.end()) {
            before->second.end = each.end;
        }
    }
    std::vector<launch::LoadedModule> modules;
    for (auto& [path, module] : by_path) {
        if (!module.path.empty()) {
            module.bias = launch::load_bias(module.path, module.begin);
            modules.push_back(std::move(module));
        }
    }
    return modules;
}

bool is_mapped(const std::vector<MappedFile>& mappings, std::uint64_t address) {
    return std::any_of(mappings.begin(), mappings.end(),
                       [&](const MappedFile& each) { return each.begin <= address && address < each.end; });
}

template <typename Number>
Number number_in(const std::vector<std::uint8_t>& bytes) {
    Number number{};
    std::memcpy(&number, bytes.data(), std::min(sizeof number, bytes.size()));
    return number;
}

std::int64_t with_sign(const std::vector<std::uint8_t>& bytes) {
    switch (bytes.size()) {
        case 1:
            return number_in<std::int8_t>(bytes);
        case 2:
            return number_in<std::int16_t>(bytes);
        case 4:
            return number_in<std::int32_t>(bytes);
        default:
            return number_in<std::int64_t>(bytes);
    }
}

/// The value as the program would write it, with as many digits as tell any two apart; empty where the type does not
/// say.
std::string value_text(const NamedBytes& part, const std::vector<std::uint8_t>& bytes) {
    switch (part.kind) {
        case Kind::integer:
            return fmt::format("{}", with_sign(bytes));
        case Kind::natural:
        case Kind::character:
            return fmt::format("{}", number_in<std::uint64_t>(bytes));
        case Kind::boolean:
            return number_in<std::uint64_t>(bytes) == 0 ? "false" : "true";
        case Kind::floating:
            return bytes.size() == 4
                       ? fmt::format("{:.{}g}", number_in<float>(bytes), std::numeric_limits<float>::max_digits10)
                   : bytes.size() == 8
                       ? fmt::format("{:.{}g}", number_in<double>(bytes), std::numeric_limits<double>::max_digits10)
                       : "";
        case Kind::bytes:
        case Kind::address:
        case Kind::handle:
            return "";
    }
    return "";
}

std::string_view kind_text(const NamedBytes& part, bool is_symbol) {
    if (is_symbol) {
        return "symbol";
    }
    switch (part.where) {
        case NamedBytes::Where::global:
            return "global";
        case NamedBytes::Where::local:
            return "local";
        case NamedBytes::Where::heap:
            return "heap";
    }
    return "";
}

/// The memory of both runs at a moment.
class Comparison {
public:
    Comparison(const MemoryOfRank& one, const MemoryOfRank& other, const MomentsOfRank& moments_of_one,
               const MomentsOfRank& moments_of_other, const CommonMoment& at, launch::ProgramVariables& variables)
        : one_(one), other_(other), mappings_(moments_of_one.mappings), variables_(variables) {
        const MomentOfRank& here = moments_of_one.moments[at.one - 1];
        const MomentOfRank& there = moments_of_other.moments[at.other - 1];
        note_received(moments_of_one.received, here.received, moments_of_other.received, there.received);
        stack_ = {here.frames.empty() ? here.stack_end : here.frames.front().sp, here.stack_end};
        variables_.look_at(
            here.frames,
            [&](std::uint64_t address, void* to, std::size_t size) {
                std::array<std::uint8_t, 16> elsewhere{};
                return size <= elsewhere.size() && one_.copy(address, to, size) &&
                       other_.copy(address, elsewhere.data(), size) && std::memcmp(to, elsewhere.data(), size) == 0;
            },
            [&](std::uint64_t address) {
                return std::any_of(mappings_.begin(), mappings_.end(),
                                   [&](const MappedFile& each) {
                                       return each.begin <= address && address < each.end && each.writable &&
                                              (each.path.empty() || each.path == "[heap]");
                                   }) ||
                       !is_mapped(mappings_, address);
            });
        differences_ = MemoryOfRank::differences(one_, other_, most_differences);
        find_parts();
    }

    [[nodiscard]] const std::vector<ChangedPart>& parts() const { return parts_; }
    [[nodiscard]] bool is_symbol(const ChangedPart& part) const { return symbols_.contains(part.part.address); }

    /// Whether this part of a variable can be seen here, and is the same in both runs.
    [[nodiscard]] bool is_equal_again(const NamedBytes& part) const {
        const auto here = variables_.find(part.address);
        const bool visible = here && here->name == part.name && here->function == part.function;
        if (!visible) {
            return false;
        }
        const auto first = std::lower_bound(differences_.begin(), differences_.end(), part.address);
        return first == differences_.end() || *first >= part.address + part.size;
    }

private:
    using Values = std::pair<std::vector<std::uint8_t>, std::vector<std::uint8_t>>;

    /// So many of each.
    void note_received(const std::vector<ReceivedMessage>& one, std::size_t of_one,
                       const std::vector<ReceivedMessage>& other, std::size_t of_other) {
        for (const auto& [messages, count] : {std::pair(&one, of_one), std::pair(&other, of_other)}) {
            std::for_each_n(messages->begin(), count,
                            [&](const ReceivedMessage& each) { buffers_.emplace(each.begin, each.end); });
        }
        if (of_one == 0 || of_other == 0) {
            return;
        }
        const ReceivedMessage& last = one[of_one - 1];
        const ReceivedMessage& last_of_other = other[of_other - 1];
        for (const auto& [a, b] :
             {std::pair(last.source, last_of_other.source), std::pair(last.tag, last_of_other.tag)}) {
            for (const std::size_t size : {4U, 8U}) {
                words_.emplace(bytes_of(a, size), bytes_of(b, size));
            }
        }
    }

    static std::vector<std::uint8_t> bytes_of(std::uint64_t number, std::size_t size) {
        std::vector<std::uint8_t> bytes(size);
        std::memcpy(bytes.data(), &number, size);
        return bytes;
    }

    [[nodiscard]] bool in_buffer(std::uint64_t begin, std::uint64_t end) const {
        return std::any_of(buffers_.begin(), buffers_.end(),
                           [&](const auto& each) { return each.first < end && begin < each.second; });
    }
    [[nodiscard]] bool on_stack(std::uint64_t address) const {
        return stack_.first <= address && address < stack_.second;
    }

    [[nodiscard]] std::optional<Values> values(std::uint64_t address, std::uint64_t size) const {
        Values found;
        for (std::uint64_t i = 0; i < size; ++i) {
            const auto a = MemoryOfRank::byte(one_, other_, address + i);
            const auto b = MemoryOfRank::byte(other_, one_, address + i);
            if (!a || !b) {
                return std::nullopt;
            }
            found.first.push_back(*a);
            found.second.push_back(*b);
        }
        return found;
    }

    /// What is left out may have been copied: its words count.
    void note_words(std::uint64_t begin, std::uint64_t end) {
        for (const std::uint64_t size : {4U, 8U}) {
            for (std::uint64_t at = begin; at + size <= end; at += size) {
                if (const auto both = values(at, size); both && both->first != both->second) {
                    words_.insert(*both);
                }
            }
        }
    }

    [[nodiscard]] bool looks_like_address(std::uint64_t address) const {
        const auto both = values(address / 8 * 8, 8);
        return both && is_mapped(mappings_, number_in<std::uint64_t>(both->first)) &&
               is_mapped(mappings_, number_in<std::uint64_t>(both->second));
    }

    void find_parts() {
        constexpr std::uint64_t largest_part = 4096;
        std::uint64_t done = 0;
        for (const std::uint64_t address : differences_) {
            if (address < done) {
                continue;
            }
            auto part = variables_.find(address);
            const bool known = part.has_value();
            if (!part && !on_stack(address)) {
                part = variables_.find_symbol(address);
            }
            if (!part || part->size == 0 || part->size > largest_part) {
                continue;
            }
            done = part->address + part->size;
            if (part->kind == Kind::handle || in_buffer(part->address, done)) {
                note_words(part->address, done);
                continue;
            }
            auto both = values(part->address, part->size);
            if (part->kind == Kind::address || !both || (!known && looks_like_address(address))) {
                continue;
            }
            if (!known) {
                symbols_.insert(part->address);
            }
            parts_.push_back({.part = *part, .one = std::move(both->first), .other = std::move(both->second)});
        }
        for (const auto& [begin, end] : buffers_) {
            constexpr std::uint64_t most = 65536;
            note_words(begin, std::min(end, begin + most));
        }
        // A copy of what was received last, or of who has sent it.
        std::erase_if(parts_, [&](const ChangedPart& each) { return words_.contains({each.one, each.other}); });
    }

    const MemoryOfRank& one_;
    const MemoryOfRank& other_;
    const std::vector<MappedFile>& mappings_;
    launch::ProgramVariables& variables_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> buffers_;
    std::pair<std::uint64_t, std::uint64_t> stack_;
    std::vector<std::uint64_t> differences_;
    std::vector<ChangedPart> parts_;
    std::set<std::uint64_t> symbols_;
    std::set<Values> words_;
};

class PairOfRuns {
public:
    PairOfRuns(const OrderPair& pair, const OrderEffectsSettings& settings) : pair_(pair), settings_(settings) {}

    std::vector<OrderEffect> effects() {
        const auto one = listed(pair_.one->pinned, {});
        const auto other = one ? listed(pair_.other->pinned, {}) : std::nullopt;
        if (!other || one->mappings.size() != other->mappings.size() || !same_place(*one, *other)) {
            return {};
        }
        const std::vector<CommonMoment> moments = moments_to_compare(*one, *other);
        if (moments.empty()) {
            return {};
        }
        const auto memory_of_one = remembered(pair_.one->pinned, *one, moments, &CommonMoment::one);
        const auto memory_of_other = remembered(pair_.other->pinned, *other, moments, &CommonMoment::other);
        if (memory_of_one.size() != moments.size() || memory_of_other.size() != moments.size()) {
            return {};
        }
        return compare(*one, *other, moments, memory_of_one, memory_of_other);
    }

private:
    /// Whether the modules, and the stack, lie at the same addresses in both.
    static bool same_place(const MomentsOfRank& one, const MomentsOfRank& other) {
        return one.moments.front().stack_end == other.moments.front().stack_end &&
               std::equal(one.mappings.begin(), one.mappings.end(), other.mappings.begin(),
                          [](const MappedFile& a, const MappedFile& b) {
                              return a.path != b.path || !is_programs(a.path) || a.begin == b.begin;
                          });
    }

    void clear_folder() const {
        std::error_code ignored;
        for (const auto& file : std::filesystem::directory_iterator(settings_.folder, ignored)) {
            std::filesystem::remove(file.path(), ignored);
        }
    }

    [[nodiscard]] std::optional<MomentsOfRank> listed(const replay::Interleaving& run,
                                                      const std::vector<std::uint32_t>& wanted) const {
        clear_folder();
        if (!wanted.empty()) {
            std::ofstream file(transport::requests::file_of_rank(settings_.folder.string(),
                                                                 transport::requests::wanted_name, pair_.rank));
            for (const std::uint32_t each : wanted) {
                file << each << '\n';
            }
        }
        return settings_.run(run) ? read_moments(settings_.folder, pair_.rank) : std::nullopt;
    }

    /// As many as moments, or the run did not go as before.
    [[nodiscard]] std::vector<MemoryOfRank> remembered(const replay::Interleaving& run, const MomentsOfRank& before,
                                                       const std::vector<CommonMoment>& moments,
                                                       std::uint32_t CommonMoment::*which) const {
        std::vector<std::uint32_t> wanted;
        for (const CommonMoment& each : moments) {
            wanted.push_back(each.*which);
        }
        std::vector<MemoryOfRank> all;
        const auto again = listed(run, wanted);
        for (std::size_t i = 0; again && i < moments.size(); ++i) {
            const std::uint32_t number = wanted[i];
            auto memory = MemoryOfRank::read(settings_.folder, pair_.rank, number);
            if (number > again->moments.size() || !memory ||
                again->moments[number - 1].state != before.moments[number - 1].state) {
                return {};
            }
            all.push_back(std::move(*memory));
        }
        return all;
    }

    /// The first at which the rank knows all that came out differently, the last one at which the function that waits
    /// there is still there, and the last of all.
    [[nodiscard]] std::vector<CommonMoment> moments_to_compare(const MomentsOfRank& one,
                                                               const MomentsOfRank& other) const {
        std::uint32_t from = 0;
        for (const auto& [i, j] : pair_.differing) {
            const CourseOfRun::Choice& here = pair_.one->choices[i];
            const CourseOfRun::Choice& there = pair_.other->choices[j];
            if (here.epoch.rank == pair_.rank) {
                if (here.told == 0 || there.told == 0) {
                    return {};
                }
                from = std::max({from, here.told, there.told});
            }
        }
        const auto length = static_cast<std::uint32_t>(std::min(one.moments.size(), other.moments.size()));
        std::uint32_t common = 0;
        while (common < length && same_call(one.moments[common], other.moments[common])) {
            ++common;
        }
        std::set<CommonMoment> found;
        const auto last_of_one = static_cast<std::uint32_t>(one.moments.size());
        const auto last_of_other = static_cast<std::uint32_t>(other.moments.size());
        if (same_call(one.moments.back(), other.moments.back()) && from < last_of_one && from < last_of_other) {
            found.insert({last_of_one, last_of_other});
        }
        for (std::uint32_t i = from; i < common; ++i) {
            if (one.moments[i].state == other.moments[i].state) {
                continue;
            }
            found.insert({i + 1, i + 1});
            std::uint32_t last = i;
            while (last + 1 < common && still_there(one.moments[i], one.moments[last + 1])) {
                ++last;
            }
            found.insert({last + 1, last + 1});
            break;
        }
        return {found.begin(), found.end()};
    }

    [[nodiscard]] std::vector<OrderEffect> compare(const MomentsOfRank& one, const MomentsOfRank& other,
                                                   const std::vector<CommonMoment>& moments,
                                                   const std::vector<MemoryOfRank>& memory_of_one,
                                                   const std::vector<MemoryOfRank>& memory_of_other) const {
        const std::vector<launch::LoadedModule> modules = modules_in(one.mappings);
        // Of each moment its own: what it finds are variables of the functions that are there.
        std::vector<std::unique_ptr<launch::ProgramVariables>> variables;
        std::vector<Comparison> comparisons;
        for (std::size_t i = 0; i < moments.size(); ++i) {
            variables.push_back(std::make_unique<launch::ProgramVariables>(modules));
            comparisons.emplace_back(memory_of_one[i], memory_of_other[i], one, other, moments[i], *variables.back());
        }
        std::vector<OrderEffect> effects;
        std::set<std::pair<std::string, std::string>> told;
        for (std::size_t i = 0; i < moments.size(); ++i) {
            std::map<std::pair<std::string, std::string>, ChangedVariable> changed;
            for (const ChangedPart& each : comparisons[i].parts()) {
                const std::pair name{each.part.function, each.part.variable};
                const bool equal_again =
                    std::any_of(comparisons.begin() + static_cast<std::ptrdiff_t>(i) + 1, comparisons.end(),
                                [&](const Comparison& later) { return later.is_equal_again(each.part); });
                if (!equal_again && !told.contains(name)) {
                    add(changed[name], each, comparisons[i].is_symbol(each));
                }
            }
            if (changed.empty()) {
                continue;
            }
            OrderEffect effect = described(one.moments[moments[i].one - 1], modules);
            for (auto& [name, variable] : changed) {
                told.insert(name);
                if (effect.variables.size() < most_variables) {
                    effect.variables.push_back(std::move(variable));
                }
            }
            effects.push_back(std::move(effect));
        }
        return effects;
    }

    static void add(ChangedVariable& variable, const ChangedPart& part, bool is_symbol) {
        if (variable.parts == 0) {
            variable.name = part.part.variable;
            variable.part = part.part.name;
            variable.type = part.part.type;
            variable.kind = kind_text(part.part, is_symbol);
            variable.function = part.part.function;
            variable.declared = part.part.declared;
            variable.one = value_text(part.part, part.one);
            variable.other = value_text(part.part, part.other);
            if (variable.one == variable.other) {  // NaNs, and what has no text
                variable.one.clear();
                variable.other.clear();
            }
        }
        ++variable.parts;
        variable.bytes += part.part.size;
    }

    [[nodiscard]] OrderEffect described(const MomentOfRank& at,
                                        const std::vector<launch::LoadedModule>& modules) const {
        OrderEffect effect;
        effect.rank = pair_.rank;
        effect.call = at.function;
        effect.buffering = pair_.one->pinned.buffering;
        effect.one = pair_.one->pinned.number;
        effect.other = pair_.other->pinned.number;
        for (const launch::LoadedModule& each : modules) {
            if (each.begin <= at.site && at.site < each.end) {
                effect.where.module = each.path;
                effect.where.offset = at.site - each.bias;
                launch::SourceLines().resolve(effect.where);
            }
        }
        std::map<replay::Rank, OrderEffect::Taken> taken;
        std::map<replay::Rank, std::size_t> counts;
        for (const auto& [i, j] : pair_.differing) {
            const CourseOfRun::Choice& here = pair_.one->choices[i];
            const CourseOfRun::Choice& there = pair_.other->choices[j];
            const bool known = std::any_of(effect.choices.begin(), effect.choices.end(), [&](const auto& each) {
                return each.call == here.call && source_place(each.where) == source_place(here.where);
            });
            if (!known) {
                effect.choices.push_back({.call = here.call, .where = here.where});
            }
            const std::size_t before = counts[here.epoch.rank]++;
            if (before > most_taken) {
                continue;
            }
            OrderEffect::Taken& of_rank = taken[here.epoch.rank];
            of_rank.rank = here.epoch.rank;
            of_rank.one += (before == 0 ? "" : ", ") + (before < most_taken ? outcome_text(here.outcome) : "...");
            of_rank.other += (before == 0 ? "" : ", ") + (before < most_taken ? outcome_text(there.outcome) : "...");
        }
        for (auto& [rank, each] : taken) {
            effect.taken.push_back(std::move(each));
        }
        return effect;
    }

    /// The source of the message, or the requests that were reported.
    static std::string outcome_text(const replay::Outcome& outcome) {
        if (outcome.completed.empty()) {
            return std::to_string(outcome.source);
        }
        std::string text = "request";
        for (const std::uint32_t each : outcome.completed) {
            text += " " + std::to_string(each);
        }
        return text;
    }

    const OrderPair& pair_;
    const OrderEffectsSettings& settings_;
};

/// Where the same choices change the same variables in several ranks, it is told once.
void add(std::vector<OrderEffect>& all, OrderEffect&& effect) {
    const auto is_same = [&](const OrderEffect& other) {
        return std::equal(effect.choices.begin(), effect.choices.end(), other.choices.begin(), other.choices.end(),
                          [](const auto& a, const auto& b) {
                              return a.call == b.call && source_place(a.where) == source_place(b.where);
                          }) &&
               std::equal(effect.variables.begin(), effect.variables.end(), other.variables.begin(),
                          other.variables.end(), [](const auto& a, const auto& b) {
                              return a.name == b.name && a.function == b.function && a.kind == b.kind &&
                                     a.declared == b.declared;
                          });
    };
    const auto known = std::find_if(all.begin(), all.end(), is_same);
    if (known == all.end()) {
        all.push_back(std::move(effect));
    } else if (known->rank != effect.rank) {
        known->also.insert(std::upper_bound(known->also.begin(), known->also.end(), effect.rank), effect.rank);
    }
}

}  // namespace

std::vector<OrderEffect> order_effects(const std::vector<std::vector<OrderPair>>& pairs,
                                       const OrderEffectsSettings& settings) {
    std::vector<OrderEffect> all;
    std::size_t tried = 0;
    for (const std::vector<OrderPair>& ways : pairs) {
        bool told = false;
        for (std::size_t i = 0; i < ways.size() && !told; ++i) {
            if (all.size() >= most_effects || tried >= most_pairs_tried || !settings.go_on()) {
                return all;
            }
            ++tried;
            for (OrderEffect& each : PairOfRuns(ways[i], settings).effects()) {
                add(all, std::move(each));
                told = true;
            }
        }
    }
    return all;
}

}  // namespace dampi::scheduler
