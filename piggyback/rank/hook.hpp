// What the layer's hooks of the C library's and other libraries' functions are to the linker: seen from outside, so
// that they stand before the function that next_function.hpp finds.
#pragma once

/// Before a function that is defined at global scope, under the name that it hooks.
#define DAMPI_HOOK extern "C" __attribute__((visibility("default")))
