// What runs beside the sweep's own have shown becomes findings of the sweep's, each cause once.
#pragma once

#include "scheduler/sweep/sweep_result.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dampi::scheduler {

class FindingsApart {
public:
    /// `all`: the sweep's findings, or its doubts, for as long as this lives.
    explicit FindingsApart(std::vector<Finding>& all);

    /// Where the finding's cause is in `all`, in which it is put, without a number of interleavings, if it was not
    /// there; then it keeps its shown_by and kept_in.
    std::size_t take_in(Finding finding);

private:
    std::vector<Finding>& all_;
    std::map<std::string, std::size_t> places_;  ///< by cause
};

}  // namespace dampi::scheduler
