#include "clocks/lazy_clocks.hpp"

#include "clocks/check.hpp"

namespace dampi::clocks {

std::uint32_t LazyClocks::post_epoch(const ReceiveSpec& spec, PostingOrder order) {
    epochs_.push_back({.spec = spec, .order = order, .posted = now_, .final = {}, .candidates = {}});
    return static_cast<std::uint32_t>(epochs_.size() - 1);
}

LamportClock LazyClocks::match_epoch(std::uint32_t index, Rank source, bool synchronous) {
    DAMPI_CHECK(index < epochs_.size());
    EpochState& epoch = epochs_[index];
    DAMPI_CHECK(epoch.matched_source == any_source && source != any_source);
    epoch.matched_source = source;
    epoch.synchronous = synchronous;
    epoch.final = now_;
    now_.advance();
    matched_.push_back(index);
    return epoch.final;
}

}  // namespace dampi::clocks
