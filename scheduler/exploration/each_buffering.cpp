#include "scheduler/exploration/each_buffering.hpp"

#include <algorithm>

namespace dampi::scheduler {

std::optional<replay::Interleaving> EachBuffering::next() {
    for (;;) {
        if (explorer_ != nullptr) {
            if (auto interleaving = explorer_->next()) {
                interleaving->number += before_;
                interleaving->buffering = modes_[begun_ - 1];
                handed_out_ = std::max(handed_out_, interleaving->number);
                return interleaving;
            }
        }
        left_out_before_ = left_out();
        explorer_.reset();
        if (begun_ == modes_.size()) {
            return std::nullopt;
        }
        before_ = handed_out_;
        explorer_ = make_();
        ++begun_;
    }
}

std::map<std::string, std::uint64_t> EachBuffering::left_out() const {
    std::map<std::string, std::uint64_t> all = left_out_before_;
    if (explorer_ != nullptr) {
        for (const auto& [what, count] : explorer_->left_out()) {
            all[what] += count;
        }
    }
    return all;
}

}  // namespace dampi::scheduler
