#include "piggyback/distributed/contradictions.hpp"

#include "piggyback/rank/argument_text.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/errors/quiet_errors.hpp"
#include "piggyback/rank/object_names.hpp"
#include "transport/log.hpp"

namespace dampi::piggyback::distributed {

void note_contradiction(DistributedLayer& layer, const Call& call, replay::ViolationKind kind,
                        const std::string& message, const EarlierCall& earlier) {
    if (!layer.noted_errors.emplace(call.site(), transport::EpochPostedRecord::no_stack, kind).second) {
        return;
    }
    if (!is_logged_place(call.site())) {
        log_modules(layer);
    }
    const QuietErrors quiet;
    KnownNames names(layer, true);
    ArgumentText arguments(names);
    call.describe_arguments(arguments);
    layer.log.append(transport::ContradictionRecord{.kind = replay::number_of(kind),
                                                    .message = std::string(call.function()) + " " + message,
                                                    .call = call.function(),
                                                    .arguments = arguments.text(),
                                                    .site = call.site(),
                                                    .earlier_rank = earlier.rank,
                                                    .earlier_call = earlier.call,
                                                    .earlier_site = earlier.site,
                                                    .earlier_what = earlier.what});
}

}  // namespace dampi::piggyback::distributed
