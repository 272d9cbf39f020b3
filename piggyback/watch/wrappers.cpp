// A wrapper for each function of MPI's with which ranks communicate, made from the table of functions. All arguments
// of MPI's functions are integers and pointers, so one shape fits all of them and all MPI libraries: a wrapper passes
// on as many words as the longest function takes; what a shorter one has not got is read from the caller's frame and
// means nothing.

#include "piggyback/watch/recorder.hpp"

#include <array>
#include <iterator>
#include <string_view>

namespace dampi::piggyback::watch {
namespace {

using Word = std::uint64_t;
using AnyFunction = Word (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

enum class Number : std::uint32_t {
#define FUNCTION(name, ...) name,
#define NEWER FUNCTION
#include "piggyback/interception/functions.def"
#undef FUNCTION
};

/// Which argument points to the answer of a function that may say "nothing yet".
constexpr int place_of_flag(std::string_view name) {
    if (name == "MPI_Iprobe" || name == "MPI_Improbe" || name == "MPI_Testany" ||
        name == "MPI_Request_get_status_any") {
        return 3;
    }
    if (name == "MPI_Test" || name == "MPI_Request_get_status" || name == "MPI_Win_test") {
        return 1;
    }
    return name == "MPI_Testall" || name == "MPI_Testsome" || name == "MPI_Parrived" ||
                   name == "MPI_Request_get_status_all" || name == "MPI_Request_get_status_some"
               ? 2
               : -1;
}

constexpr bool tells_only(std::string_view name) {
    return name == "MPI_Iprobe" || name == "MPI_Parrived" || name.starts_with("MPI_Request_get_status");
}

bool has_found(const Function& function, const std::array<Word, 14>& words) {
    if (function.flag < 0) {
        return true;
    }
    const auto* flag = reinterpret_cast<const int*>(words[static_cast<std::size_t>(function.flag)]);
    return flag == nullptr || *flag != 0;
}

}  // namespace
}  // namespace dampi::piggyback::watch

// NOLINTBEGIN(bugprone-macro-parentheses)
#define DAMPI_WATCHED(name, after)                                                                             \
    extern "C" __attribute__((visibility("default"), noinline)) std::uint64_t name(                            \
        std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, std::uint64_t e, std::uint64_t f,  \
        std::uint64_t g, std::uint64_t h, std::uint64_t i, std::uint64_t j, std::uint64_t k, std::uint64_t l,  \
        std::uint64_t m, std::uint64_t n) {                                                                    \
        using namespace dampi::piggyback::watch;                                                               \
        static constinit Function function{                                                                    \
            #name,           nullptr,          static_cast<std::uint32_t>(Number::name), place_of_flag(#name), \
            shape_of(#name), tells_only(#name)};                                                               \
        const std::array<Word, 14> words{a, b, c, d, e, f, g, h, i, j, k, l, m, n};                            \
        const Entered entered =                                                                                \
            enter(function, __builtin_return_address(0), __builtin_frame_address(0), words.data());            \
        void* next = function.next != nullptr ? function.next : find_next(function);                           \
        const Word result = reinterpret_cast<AnyFunction>(next)(a, b, c, d, e, f, g, h, i, j, k, l, m, n);     \
        if (entered.caller != nullptr) {                                                                       \
            leave(function, entered, words.data(), static_cast<int>(result) == 0, has_found(function, words)); \
        }                                                                                                      \
        after;                                                                                                 \
        return result;                                                                                         \
    }
#define DAMPI_WATCHES_point_to_point(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_collective(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_one_sided(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_completion(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_polling(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_communicator(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_tracked(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_not_modelled(name) DAMPI_WATCHED(name, (void)0)
#define DAMPI_WATCHES_lifecycle(name)                                                  \
    DAMPI_WATCHED(name, std::string_view(#name).starts_with("MPI_Init") ? learn_rank() \
                        : std::string_view(#name) == "MPI_Finalize"     ? end()        \
                                                                        : (void)0)
// What is local, or has another shape.
#define DAMPI_WATCHES_pass_through(name)
#define DAMPI_WATCHES_time(name)
#define DAMPI_WATCHES_by_hand(name)
#define DAMPI_WATCHES_not_exported(name)
#define FUNCTION(name, class, ...) DAMPI_WATCHES_##class(name)
#include "piggyback/interception/functions.def"
#undef FUNCTION
// NOLINTEND(bugprone-macro-parentheses)

namespace dampi::piggyback::watch {

static constexpr const char* function_names[] = {
#define FUNCTION(name, ...) #name,
#include "piggyback/interception/functions.def"
#undef FUNCTION
};
extern const char* const* const names_of_functions;
extern const std::uint32_t number_of_functions;
const char* const* const names_of_functions = function_names;
const std::uint32_t number_of_functions = static_cast<std::uint32_t>(std::size(function_names));

}  // namespace dampi::piggyback::watch
