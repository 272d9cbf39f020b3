#include "piggyback/rank/sanitizers/address_runtime.hpp"

#include "piggyback/rank/sanitizers/find_runtime.hpp"

namespace dampi::piggyback::sanitizers {

constinit const AddressRuntime* address_runtime = nullptr;

void find_address_runtime() {
    static AddressRuntime runtime;
    const bool found = find(runtime.first_poisoned, "__asan_region_is_poisoned") &&
                       find(runtime.shadow_mapping, "__asan_get_shadow_mapping") &&
                       find(runtime.locate, "__asan_locate_address");
    address_runtime = found ? &runtime : nullptr;
}

}  // namespace dampi::piggyback::sanitizers
