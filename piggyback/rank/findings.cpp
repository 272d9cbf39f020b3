#include "piggyback/rank/findings.hpp"

#include "piggyback/rank/code_places.hpp"

namespace dampi::piggyback {

void record_violation(Core& core, replay::ViolationKind kind, const std::string& message, const Call& call,
                      const std::string& detail) {
    if (!is_logged_place(call.site())) {
        log_modules(core);
    }
    core.record_violation(kind, message, call.function(), call.site(), detail);
}

}  // namespace dampi::piggyback
