#include "base/check.hpp"

#include <cstdlib>

namespace dampi {
namespace {
CheckHandler installed_handler = nullptr;
}

void set_check_handler(CheckHandler handler) { installed_handler = handler; }

void check_failed(const char* condition, const char* file, int line) {
    if (installed_handler != nullptr) {
        installed_handler(condition, file, line);
        std::abort();
    }
    throw InternalError(std::string("internal error: ") + condition + " does not hold at " + file + ":" +
                        std::to_string(line));
}

}  // namespace dampi
