#include "scheduler/order/order_pairs.hpp"

#include "replay/pinned_outcomes.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace dampi::scheduler {
namespace {

using Choice = CourseOfRun::Choice;

std::string text_of_place(const Choice& choice) {
    const auto [module, function, file, line, offset] = replay::source_place(choice.where);
    return choice.call + '\n' + std::string(module) + '\n' + std::string(function) + '\n' + std::string(file) + '\n' +
           std::to_string(line) + '\n' + std::to_string(offset);
}

/// Nothing where the run does not tell what its ranks were in the end.
std::shared_ptr<CourseOfRun> course_of(const replay::Interleaving& interleaving, const replay::RunRecord& record) {
    auto course = std::make_shared<CourseOfRun>();
    for (const replay::RankCourse& each : record.courses) {
        if (!each.end) {
            return nullptr;
        }
        course->ends.push_back(*each.end);
    }
    if (course->ends.empty()) {
        return nullptr;
    }
    for (const replay::Epoch& epoch : record.epochs) {
        if (!epoch.outcome) {
            continue;
        }
        const std::vector<std::uint32_t>& told = record.courses.at(static_cast<std::size_t>(epoch.id.rank)).told;
        course->choices.push_back({.epoch = epoch.id,
                                   .call = epoch.call,
                                   .where = epoch.where,
                                   .outcome = *epoch.outcome,
                                   .told = epoch.id.index < told.size() ? told[epoch.id.index] : 0});
    }
    course->pinned = replay::pin_outcomes(interleaving, record);
    course->printed = record.printed;
    return course;
}

/// Of both, by epoch: those that came to something else.
std::vector<std::pair<std::size_t, std::size_t>> differing_choices(const CourseOfRun& one, const CourseOfRun& other) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t i = 0, j = 0; i < one.choices.size() && j < other.choices.size();) {
        const Choice& a = one.choices[i];
        const Choice& b = other.choices[j];
        if (a.epoch == b.epoch) {
            if (!(a.outcome == b.outcome)) {
                found.emplace_back(i, j);
            }
            ++i;
            ++j;
        } else {
            (a.epoch < b.epoch ? i : j) += 1;
        }
    }
    return found;
}

/// How many of the last choices of each rank and place are among them.
std::size_t differing_last(const CourseOfRun& one, const std::vector<std::pair<std::size_t, std::size_t>>& differing) {
    std::map<std::pair<replay::Rank, std::string>, std::size_t> last;
    for (std::size_t i = 0; i < one.choices.size(); ++i) {
        last[{one.choices[i].epoch.rank, text_of_place(one.choices[i])}] = i;
    }
    return static_cast<std::size_t>(std::count_if(differing.begin(), differing.end(), [&](const auto& each) {
        const Choice& choice = one.choices[each.first];
        return last.at({choice.epoch.rank, text_of_place(choice)}) == each.first;
    }));
}

}  // namespace

void OrderPairs::look(const replay::Interleaving& interleaving, const replay::RunRecord& record) {
    if (record.merged) {
        return;  // what follows there is known from the other
    }
    const std::shared_ptr<const CourseOfRun> course =
        record.cut_short || record.diverged || !record.omitted.empty() ? nullptr : course_of(interleaving, record);
    if (course == nullptr) {
        all_known_ = false;
        return;
    }
    ++compared_;
    auto& kept = kept_[interleaving.buffering];
    all_equal_ = all_equal_ && (kept.empty() || kept.front()->ends_like(*course));
    for (const auto& earlier : kept) {
        if (!earlier->ends_like(*course)) {
            compare(earlier, course);
        }
    }
    // One that ends as another one does shows nothing new.
    const bool is_new =
        std::none_of(kept.begin(), kept.end(), [&](const auto& each) { return each->ends_like(*course); });
    if (kept.empty() ||
        (is_new && kept.size() < most_kept_runs && kept_choices_ + course->choices.size() <= most_kept_choices)) {
        kept_choices_ += course->choices.size();
        kept.push_back(course);
    }
}

void OrderPairs::compare(const std::shared_ptr<const CourseOfRun>& earlier,
                         const std::shared_ptr<const CourseOfRun>& run) {
    auto differing = differing_choices(*earlier, *run);
    std::set<std::string> places;
    for (const auto& [i, j] : differing) {
        places.insert(text_of_place(earlier->choices[i]));
    }
    if (differing.empty() || earlier->ends.size() != run->ends.size()) {
        return;
    }
    std::set<replay::Rank> choosing;
    for (const auto& [i, j] : differing) {
        choosing.insert(earlier->choices[i].epoch.rank);
    }
    std::size_t alike = 0;
    for (std::size_t rank = 0; rank < run->ends.size(); ++rank) {
        alike += earlier->ends[rank] == run->ends[rank] && !choosing.contains(static_cast<replay::Rank>(rank)) ? 1 : 0;
    }
    const Score score{places.size(), earlier->printed == run->printed ? 1U : 0U, alike,
                      differing_last(*earlier, differing), differing.size()};
    const Places key(places.begin(), places.end());
    for (std::size_t rank = 0; rank < run->ends.size(); ++rank) {
        // Whose output differs is not known, and whoever prints may have nothing of it left in the end.
        if (earlier->ends[rank] == run->ends[rank] && earlier->printed == run->printed) {
            continue;
        }
        const std::pair at{key, static_cast<replay::Rank>(rank)};
        if (candidates_.size() >= most_sets && !candidates_.contains(at)) {
            continue;
        }
        std::multimap<Score, OrderPair>& known = candidates_[at];
        if (known.count(score) < most_pairs_alike) {
            known.emplace(score, OrderPair{.rank = at.second, .one = earlier, .other = run, .differing = differing});
        }
        if (known.size() > most_pairs_of_set) {
            known.erase(std::prev(known.end()));
        }
    }
}

std::vector<std::vector<OrderPair>> OrderPairs::pairs() const {
    struct Ways {
        std::size_t places = 0;
        bool by_others = false;
        std::vector<OrderPair> pairs;
    };
    std::vector<Ways> all;
    for (const auto& [at, by_score] : candidates_) {
        const auto& here = at;
        const bool covered = std::any_of(candidates_.begin(), candidates_.end(), [&](const auto& each) {
            const auto& [others, of] = each.first;
            return of == here.second && others.size() < here.first.size() &&
                   std::includes(here.first.begin(), here.first.end(), others.begin(), others.end());
        });
        if (covered) {
            continue;
        }
        Ways& ways = all.emplace_back();
        ways.places = here.first.size();
        for (const auto& [score, pair] : by_score) {
            ways.pairs.push_back(pair);
        }
        const OrderPair& best = ways.pairs.front();
        ways.by_others = std::none_of(best.differing.begin(), best.differing.end(), [&](const auto& each) {
            return best.one->choices[each.first].epoch.rank == here.second;
        });
    }
    std::stable_sort(all.begin(), all.end(), [](const Ways& a, const Ways& b) {
        return std::tie(a.places, a.by_others) < std::tie(b.places, b.by_others);
    });
    std::vector<std::vector<OrderPair>> pairs;
    for (Ways& each : all) {
        pairs.push_back(std::move(each.pairs));
    }
    return pairs;
}

}  // namespace dampi::scheduler
