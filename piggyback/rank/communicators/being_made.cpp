#include "piggyback/rank/communicators/being_made.hpp"

#include "piggyback/rank/layer.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace dampi::piggyback {
namespace {

struct Making {
    MPI_Request request = MPI_REQUEST_NULL;
    const char* function = "";
    std::uint64_t site = 0;
};

using Makings = std::unordered_map<MPI_Comm, Making>;

/// Calls may come while the program ends, so it lives for ever.
Makings& all() {
    static auto& makings = *new Makings;
    return makings;
}

/// Another request may have the handle by now.
bool is_pending(const Making& making) {
    const Request* request = Layer::current()->requests.find(making.request);
    for (; request != nullptr; request = request->next_with_same_handle.get()) {
        if (request->kind == RequestKind::collective && request->active && !request->told && !request->freed &&
            request->site == making.site && std::string_view(request->function) == making.function) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool being_made_detail::is_pending(MPI_Comm handle) {
    const auto found = all().find(handle);
    if (found == all().end()) {
        return false;
    }
    const bool is = piggyback::is_pending(found->second);
    if (!is) {
        all().erase(found);
        number = all().size();
    }
    return is;
}

void note_being_made(const Call& call, MPI_Comm handle, MPI_Request request) {
    // Of a handle that MPI hands out again the earlier request is complete.
    std::erase_if(all(), [&](const auto& each) { return each.second.request == request; });
    if (is_shared_handle(request)) {
        all().erase(handle);  // it has completed at once
    } else {
        all().insert_or_assign(handle, Making{.request = request, .function = call.function(), .site = call.site()});
    }
    being_made_detail::number = all().size();
}

}  // namespace dampi::piggyback
