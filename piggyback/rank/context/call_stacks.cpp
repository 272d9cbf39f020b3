#include "piggyback/rank/context/call_stacks.hpp"

#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/python_places.hpp"

#include <unwind.h>

namespace dampi::piggyback {
namespace {

struct Walk {
    std::uint64_t site = 0;
    std::vector<std::uint64_t>& frames;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
    Walk& walk = *static_cast<Walk*>(argument);
    const std::uint64_t return_address = _Unwind_GetIP(context);
    if (return_address == 0) {
        return _URC_END_OF_STACK;
    }
    if (!walk.frames.empty() || return_address - 1 == walk.site) {
        walk.frames.push_back(return_address - 1);
    }
    return walk.frames.size() == transport::stack_frames ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

}  // namespace

std::uint32_t CallStacks::number(Core& core, std::uint64_t site) {
    if (transport::is_stack_place(site)) {
        return static_cast<std::uint32_t>(site - transport::stack_places);
    }
    frames_.clear();
    if (site < transport::script_places) {
        Walk walk{.site = site, .frames = frames_};
        _Unwind_Backtrace(visit_frame, &walk);
    } else {
        frames_ = logged_python_stack(core, transport::stack_frames);
    }
    if (frames_.empty()) {
        frames_.push_back(site);  // code without unwinding information lies in between
    }
    const auto [known, added] = known_.try_emplace(frames_, static_cast<std::uint32_t>(known_.size()));
    if (added) {
        by_number_.push_back(&known->first);
        log_modules(core);
        core.log.append(transport::StackRecord{.number = known->second, .frames = frames_});
    }
    return known->second;
}

std::uint32_t CallStacks::number_of_few(Core& core, std::uint64_t site) {
    if (transport::is_stack_place(site)) {
        return number(core, site);
    }
    std::uint32_t& walks = walks_[site];
    if (walks == most_walks) {
        return transport::EpochPostedRecord::no_stack;
    }
    ++walks;
    return number(core, site);
}

}  // namespace dampi::piggyback
