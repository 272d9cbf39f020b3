#include "piggyback/rank/translation.hpp"

namespace dampi::piggyback {

constinit Translation translation;

}  // namespace dampi::piggyback

/// Called by piggyback/openmpi/library.cpp, which finds it by this name.
extern "C" __attribute__((visibility("default"))) void dampi_is_translated(std::uint64_t begin, std::uint64_t size,
                                                                           const void* (*return_address)()) {
    dampi::piggyback::translation = {.begin = begin, .size = size, .return_address = return_address};
}
