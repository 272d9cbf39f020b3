// See call_sites.hpp.
#include "scheduler/sweep/call_sites.hpp"

#include "replay/other_answers.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace dampi::scheduler {
namespace {

CallSite site_of(const replay::Epoch& epoch) {
    CallSite site{.call = epoch.call, .where = epoch.where};
    if (site.where.line > 0) {
        site.where.offset = 0;  // as source_place(): compilers make copies of a line
    }
    return site;
}

void add_choices(const replay::Epoch& epoch, SiteChoices& choices) {
    if (replay::chooses_message(epoch.kind)) {
        if (epoch.outcome && !epoch.outcome->gave_up()) {
            choices.taken.insert(epoch.outcome->source);
        }
        for (const replay::PotentialMatch& match : epoch.potential_matches) {
            choices.possible.insert(match.source);
        }
        return;
    }
    if (epoch.outcome) {
        choices.taken.insert(epoch.outcome->completed.begin(), epoch.outcome->completed.end());
    }
    const std::vector<std::uint32_t> others = replay::not_reported(epoch);
    choices.possible.insert(others.begin(), others.end());
}

/// What of `all` is not in `known`.
std::set<std::int64_t> without(const std::set<std::int64_t>& all, const std::set<std::int64_t>& known) {
    std::set<std::int64_t> rest;
    std::set_difference(all.begin(), all.end(), known.begin(), known.end(), std::inserter(rest, rest.end()));
    return rest;
}

}  // namespace

SitesOfRun sites_of(const replay::RunRecord& record) {
    SitesOfRun run;
    if (record.diverged) {
        return run;
    }
    // Epochs of a loop follow one another at one site, so the last one is asked first.
    std::map<std::tuple<std::string_view, bool, replay::SourcePlace>, std::uint32_t> numbers;
    std::optional<std::uint32_t> last;
    for (const replay::Epoch& epoch : record.epochs) {
        const bool messages = replay::chooses_message(epoch.kind);
        const auto same_as_last = [&] {
            return last && run.sites[*last].call == epoch.call && run.choices[*last].messages == messages &&
                   epoch.where.line > 0 && run.sites[*last].where.line == epoch.where.line &&
                   run.sites[*last].where.file == epoch.where.file &&
                   run.sites[*last].where.function == epoch.where.function &&
                   run.sites[*last].where.module == epoch.where.module;
        };
        if (!same_as_last()) {
            const auto [found, is_new] =
                numbers.try_emplace({epoch.call, messages, replay::source_place(epoch.where)}, run.sites.size());
            if (is_new) {
                run.sites.push_back(site_of(epoch));
                run.choices.push_back({.messages = messages, .taken = {}, .possible = {}});
            }
            last = found->second;
        }
        add_choices(epoch, run.choices[*last]);
        if (epoch.outcome) {
            run.of_outcomes.push_back(*last);
        }
    }
    return run;
}

CallSites::News CallSites::look(const SitesOfRun& run, std::vector<std::uint32_t>& numbers) const {
    News news;
    std::vector<std::uint32_t> number_of(run.sites.size(), unknown);
    std::uint64_t kept = kept_choices_;
    for (std::size_t i = 0; i < run.sites.size(); ++i) {
        static const SiteChoices none;
        const auto found = numbers_.find(run.sites[i]);
        const SiteChoices& known = found == numbers_.end() ? none : choices_[found->second];
        SiteChoices fresh{.messages = run.choices[i].messages,
                          .taken = without(run.choices[i].taken, known.taken),
                          .possible = without(run.choices[i].possible, known.possible)};
        const std::size_t more = fresh.taken.size() + fresh.possible.size();
        const bool is_new = found == numbers_.end();
        if ((is_new && sites_.size() + news.sites.size() >= most_sites) || kept + more > most_site_choices) {
            news.omitted = true;
            number_of[i] = is_new ? unknown : found->second;
            continue;
        }
        number_of[i] = is_new ? static_cast<std::uint32_t>(sites_.size() + news.sites.size()) : found->second;
        if (is_new) {
            news.sites.push_back(run.sites[i]);
        }
        if (is_new || more != 0) {
            kept += more;
            news.choices.emplace(number_of[i], std::move(fresh));
        }
    }
    numbers.clear();
    numbers.reserve(run.of_outcomes.size());
    for (const std::uint32_t place : run.of_outcomes) {
        numbers.push_back(number_of[place]);
    }
    return news;
}

void CallSites::apply(const News& news) {
    for (const CallSite& site : news.sites) {
        numbers_.emplace(site, static_cast<std::uint32_t>(sites_.size()));
        sites_.push_back(site);
        choices_.emplace_back();
    }
    for (const auto& [number, fresh] : news.choices) {
        if (number >= choices_.size()) {
            continue;
        }
        SiteChoices& known = choices_[number];
        known.messages = fresh.messages;
        known.taken.insert(fresh.taken.begin(), fresh.taken.end());
        known.possible.insert(fresh.possible.begin(), fresh.possible.end());
        kept_choices_ += fresh.taken.size() + fresh.possible.size();
    }
    omitted_ = omitted_ || news.omitted;
}

void CallSites::index() {
    choices_.resize(sites_.size());
    numbers_.clear();
    kept_choices_ = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        numbers_.emplace(sites_[i], static_cast<std::uint32_t>(i));
        kept_choices_ += choices_[i].taken.size() + choices_[i].possible.size();
    }
}

}  // namespace dampi::scheduler
