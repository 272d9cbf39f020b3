#include "piggyback/rank/errors/thrown.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include <cxxabi.h>
#include <unwind.h>
#include <dlfcn.h>

namespace dampi::piggyback {
namespace {

/// The end of what the C++ ABI puts before an object that is thrown.
struct Thrown {
    void* next;
    int handlers;
    int switch_value;
    const unsigned char* action;
    const unsigned char* language_data;
    _Unwind_Ptr catch_temporary;
    void* adjusted;
    _Unwind_Exception exception;
};
static_assert(offsetof(Thrown, exception) - offsetof(Thrown, handlers) == 40);  // as the runtime has them

/// The unwinder of this library, which a handler's exception meets first, sets itself up when it is used.
_Unwind_Reason_Code stop_at_once(_Unwind_Context* /*context*/, void* /*argument*/) { return _URC_NORMAL_STOP; }

template <typename Call>
void keep_exceptions(Call&& call) {
    if (!ThrowsAtEnd::any()) {
        return call();
    }
    try {
        call();
    } catch (const abi::__forced_unwind&) {
        throw;  // the thread ends
    } catch (...) {
        ThrowsAtEnd::keep_present();
    }
}

/// The program's handlers of objects with such handles, each with a function of its own that calls it: MPI tells a
/// handler nothing from which one could know it. More than that many go to MPI as they are.
template <typename Handle>
class Handlers {
public:
    using Handler = void(Handle* handle, int* code, ...);

    Handler* around(Handler* handler) noexcept { return find(handler, std::make_index_sequence<most>()); }

private:
    static constexpr std::size_t most = 64;

    template <std::size_t number>
    static void call(Handle* handle, int* code, ...) {
        keep_exceptions([&] { known_[number].load(std::memory_order_acquire)(handle, code, 0); });
    }

    template <std::size_t... numbers>
    static Handler* find(Handler* handler, std::index_sequence<numbers...> /*all*/) noexcept {
        static constexpr std::array<Handler*, most> calls{call<numbers>...};
        if (handler == nullptr) {
            return nullptr;
        }
        _Unwind_Backtrace(stop_at_once, nullptr);
        for (std::size_t i = 0; i < most; ++i) {
            Handler* there = nullptr;
            if (known_[i].compare_exchange_strong(there, handler) || there == handler) {
                return calls[i];
            }
        }
        return handler;
    }

    static inline std::array<std::atomic<Handler*>, most> known_{};
};

}  // namespace

__thread unsigned ThrowsAtEnd::living = 0;
__thread void* ThrowsAtEnd::kept = nullptr;

void ThrowsAtEnd::keep_present() noexcept {
    if (kept != nullptr) {
        return;  // a second error of the same call
    }
    // The object itself goes on, with who throws and who destroys it in the program's C++ runtime. The reference that
    // keeps it over the end of this handler is the one that the next has. One that no runtime of this kind has thrown
    // cannot be kept.
    alignas(std::exception_ptr) std::array<std::byte, sizeof(std::exception_ptr)> pointer;  // which is never destroyed
    ::new (pointer.data()) std::exception_ptr(std::current_exception());
    void* object = nullptr;
    static_assert(sizeof pointer == sizeof object);
    std::memcpy(&object, pointer.data(), sizeof object);
    if (object == nullptr) {
        std::terminate();
    }
    kept = static_cast<Thrown*>(object) - 1;
}

void ThrowsAtEnd::throw_kept() {
    auto* const thrown = static_cast<Thrown*>(std::exchange(kept, nullptr));
    thrown->handlers = 0;  // the end of the last one leaves it as it was
    _Unwind_Exception* const exception = &thrown->exception;
    _Unwind_RaiseException(exception);
    // Nobody catches it: the program's runtime says what it is.
    if (auto* const begin = reinterpret_cast<void* (*)(void*)>(dlsym(RTLD_DEFAULT, "__cxa_begin_catch"))) {
        begin(exception);
    }
    if (auto* const terminate = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "_ZSt9terminatev"))) {
        terminate();
    }
    std::abort();
}

MPI_Comm_errhandler_function* keeping_exceptions(MPI_Comm_errhandler_function* handler) noexcept {
    return Handlers<MPI_Comm>().around(handler);
}

MPI_File_errhandler_function* keeping_exceptions_of_file(MPI_File_errhandler_function* handler) noexcept {
    return Handlers<MPI_File>().around(handler);
}

}  // namespace dampi::piggyback
