// The calls of the program that choose, by their places in the source, and what each of them took or could have taken
// in the runs so far. Plain values; decides nothing.
//
// What a run says of them is made of its record alone, by any thread (sites_of); to put it together with what is known
// is then quick, and only what is new is kept of a run.
#pragma once

#include "replay/members.hpp"
#include "replay/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace dampi::scheduler {

/// An MPI function at a place of the source. Where the line is known, `where.offset` is 0.
struct CallSite {
    std::string call;
    replay::CodePlace where;

    auto operator<=>(const CallSite&) const = default;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, call, where);
    }
};

/// What was seen at one site. The numbers are ranks that sent the message, or positions of requests in the call.
struct SiteChoices {
    bool messages = true;             ///< it chooses a message; otherwise requests
    std::set<std::int64_t> taken;     ///< in some run
    std::set<std::int64_t> possible;  ///< could have been taken instead, in some run

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, messages, taken, possible);
    }
};

/// What one run says.
struct SitesOfRun {
    std::vector<CallSite> sites;             ///< each once, in the order of the epochs
    std::vector<SiteChoices> choices;        ///< of each of `sites`
    std::vector<std::uint32_t> of_outcomes;  ///< of each epoch with an outcome, in order: its place in `sites`
};

/// Of a run that did not follow its decisions, nothing.
[[nodiscard]] SitesOfRun sites_of(const replay::RunRecord& record);

/// At most so many sites and, of all together, taken and possible things are kept.
inline constexpr std::size_t most_sites = 5'000;
inline constexpr std::size_t most_site_choices = 200'000;

class CallSites {
public:
    /// What a run brought that was not known, to be taken in by apply(), and which sites its outcomes belong to.
    struct News {
        std::vector<CallSite> sites;  ///< new ones: their numbers follow the known ones'
        std::map<std::uint32_t, SiteChoices> choices;
        bool omitted = false;  ///< there was more than is kept

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, sites, choices, omitted);
        }
    };

    /// The number that stands for a site which is not kept.
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    /// Changes nothing. `numbers` becomes the site of each of run.of_outcomes.
    [[nodiscard]] News look(const SitesOfRun& run, std::vector<std::uint32_t>& numbers) const;
    void apply(const News& news);

    /// By number.
    [[nodiscard]] const std::vector<CallSite>& sites() const { return sites_; }
    [[nodiscard]] const std::vector<SiteChoices>& choices() const { return choices_; }
    /// There was more than is kept.
    [[nodiscard]] bool omitted() const { return omitted_; }

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, sites_, choices_, omitted_);
        if constexpr (Archive::is_loading::value) {
            index();
        }
    }

private:
    /// Makes what follows from the sites and their choices.
    void index();

    std::vector<CallSite> sites_;
    std::vector<SiteChoices> choices_;
    std::map<CallSite, std::uint32_t> numbers_;
    std::uint64_t kept_choices_ = 0;
    bool omitted_ = false;
};

}  // namespace dampi::scheduler
