// In how many different ways the interleavings of a sweep end, as far as that shows in what their ranks have printed.
#pragma once

#include "replay/members.hpp"

#include <cstddef>
#include <cstdint>
#include <set>

namespace dampi::scheduler {

class PrintedOutputs {
public:
    /// Beyond so many different ones nobody wants to know how many.
    static constexpr std::size_t most = 100'000;

    /// Of one run (RunRecord::printed).
    void add(std::uint64_t printed) {
        ++runs_;
        if (different_.size() < most) {
            different_.insert(printed);
        }
    }

    [[nodiscard]] std::uint64_t runs() const { return runs_; }
    [[nodiscard]] std::uint64_t different() const { return different_.size(); }
    /// There may be more different ones.
    [[nodiscard]] bool at_limit() const { return different_.size() == most; }

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, runs_, different_);
    }

private:
    std::uint64_t runs_ = 0;
    std::set<std::uint64_t> different_;
};

}  // namespace dampi::scheduler
