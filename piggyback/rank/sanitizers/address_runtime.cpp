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

bool is_address_shadow(std::uintptr_t begin, std::uintptr_t end) noexcept {
    if (address_runtime == nullptr) {
        return false;
    }
    constexpr std::uintptr_t end_of_memory = std::uintptr_t{1} << 47;  // that a process may have
    std::size_t scale = 0;
    std::size_t offset = 0;
    address_runtime->shadow_mapping(&scale, &offset);
    return offset != 0 && begin >= offset && end <= offset + (end_of_memory >> scale);
}

}  // namespace dampi::piggyback::sanitizers
