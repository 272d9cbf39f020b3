#include "piggyback/rank/python_places.hpp"

#include "base/hash.hpp"
#include "piggyback/rank/core.hpp"
#include "transport/log.hpp"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

/// What is used of the interpreter; all of it is in its stable or documented interface since version 3.9.
struct Interpreter {
    int (*is_initialized)() = nullptr;
    int (*is_finalizing)() = nullptr;
    void* (*state_of_this_thread)() = nullptr;  ///< null for a thread that Python does not know
    void* (*state_with_lock)() = nullptr;       ///< that of this thread if it has the interpreter's lock
    int (*take_lock)() = nullptr;
    void (*give_lock)(int) = nullptr;
    void* (*frame)() = nullptr;  ///< borrowed; null outside of any function
    void* (*caller_of)(void*) = nullptr;
    void* (*code_of)(void*) = nullptr;
    int (*line_of)(void*) = nullptr;
    void (*release)(void*) = nullptr;
    void* (*attribute_of)(void*, const char*) = nullptr;
    const char* (*text_of)(void*) = nullptr;
    void (*fetch_error)(void**, void**, void**) = nullptr;
    void (*restore_error)(void*, void*, void*) = nullptr;
};
Interpreter python;

template <typename Function>
bool look_up(Function*& function, const char* name, const char* older_name = nullptr) {
    void* symbol = dlsym(RTLD_DEFAULT, name);
    if (symbol == nullptr && older_name != nullptr) {
        symbol = dlsym(RTLD_DEFAULT, older_name);
    }
    function = reinterpret_cast<Function*>(symbol);
    return symbol != nullptr;
}

struct Place {
    std::string file;
    std::string function;
    int line = 0;
    bool left_out = false;
};

/// The places met so far; those that are left out have numbers as well. A code object that is known is kept, so that
/// its address names it.
struct {
    std::mutex mutex;
    std::map<std::pair<void*, int>, std::size_t> known;
    std::vector<Place> places;
    std::size_t logged = 0;
} table;
std::atomic<std::size_t> unlogged{0};

/// The attribute of a code object, which is text; empty if there is none.
std::string text_of(void* code, const char* attribute) {
    void* value = python.attribute_of(code, attribute);
    const char* text = value != nullptr ? python.text_of(value) : nullptr;
    std::string copy = text != nullptr ? text : "";
    if (value != nullptr) {
        python.release(value);
    }
    return copy;
}

std::string absolute(const std::string& file) {
    char path[PATH_MAX];
    return realpath(file.c_str(), path) != nullptr ? std::string(path) : file;
}

/// Whether the file belongs to the package of that name.
bool is_of_mpi4py(const std::string& file) {
    constexpr std::string_view name = "/mpi4py/";
    const std::size_t at = file.find(name);
    return at != std::string::npos && access((file.substr(0, at + name.size()) + "__init__.py").c_str(), F_OK) == 0;
}

/// Takes over the caller's reference to `code`.
std::size_t number_of(void* code, int line) {
    const std::lock_guard lock(table.mutex);
    const auto [entry, added] = table.known.try_emplace({code, line}, table.places.size());
    if (!added) {
        python.release(code);
        return entry->second;
    }
    void* error[3] = {};
    python.fetch_error(&error[0], &error[1], &error[2]);
    Place place{.file = text_of(code, "co_filename"), .function = text_of(code, "co_qualname"), .line = line};
    if (place.function.empty()) {
        place.function = text_of(code, "co_name");  // before Python 3.11
    }
    python.restore_error(error[0], error[1], error[2]);
    place.left_out = place.file.starts_with('<') || is_of_mpi4py(place.file);
    place.file = absolute(place.file);
    table.places.push_back(std::move(place));
    unlogged.fetch_add(1, std::memory_order_relaxed);
    return entry->second;
}

bool is_left_out(std::size_t number) {
    const std::lock_guard lock(table.mutex);
    return table.places[number].left_out;
}

/// While it lives, the thread has the interpreter's lock, if it is one of Python's.
class Locked {
public:
    Locked() noexcept {
        void* state =
            python.is_initialized() != 0 && python.is_finalizing() == 0 ? python.state_of_this_thread() : nullptr;
        if (state == nullptr) {
            return;
        }
        taken_ = python.state_with_lock() != state;
        if (taken_) {
            before_ = python.take_lock();
        }
        has_ = true;
    }
    ~Locked() {
        if (taken_) {
            python.give_lock(before_);
        }
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

    [[nodiscard]] bool has() const noexcept { return has_; }

private:
    bool has_ = false;
    bool taken_ = false;
    int before_ = 0;
};

/// Calls `visit` with the place of each function that is running, innermost first, until it returns false.
template <typename Visit>
void for_each_place(Visit&& visit) noexcept {
    const Locked lock;
    if (!lock.has()) {
        return;
    }
    void* own = nullptr;  // a frame that is ours to release
    for (void* frame = python.frame(); frame != nullptr;) {
        const std::size_t number = number_of(python.code_of(frame), python.line_of(frame));
        if (!is_left_out(number) && !visit(transport::script_places | number)) {
            break;
        }
        void* caller = python.caller_of(frame);
        if (own != nullptr) {
            python.release(own);
        }
        own = frame = caller;
    }
    if (own != nullptr) {
        python.release(own);
    }
}

}  // namespace

void find_python() noexcept {
    if (python_places_detail::found.load(std::memory_order_relaxed)) {
        return;
    }
    const bool complete =
        look_up(python.is_initialized, "Py_IsInitialized") &&
        look_up(python.is_finalizing, "Py_IsFinalizing", "_Py_IsFinalizing") &&
        look_up(python.state_of_this_thread, "PyGILState_GetThisThreadState") &&
        look_up(python.state_with_lock, "PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet") &&
        look_up(python.take_lock, "PyGILState_Ensure") && look_up(python.give_lock, "PyGILState_Release") &&
        look_up(python.frame, "PyEval_GetFrame") && look_up(python.caller_of, "PyFrame_GetBack") &&
        look_up(python.code_of, "PyFrame_GetCode") && look_up(python.line_of, "PyFrame_GetLineNumber") &&
        look_up(python.release, "Py_DecRef") && look_up(python.attribute_of, "PyObject_GetAttrString") &&
        look_up(python.text_of, "PyUnicode_AsUTF8") && look_up(python.fetch_error, "PyErr_Fetch") &&
        look_up(python.restore_error, "PyErr_Restore");
    python_places_detail::found.store(complete, std::memory_order_relaxed);
}

std::uint64_t python_site() noexcept {
    std::uint64_t site = 0;
    for_each_place([&](std::uint64_t place) {
        site = place;
        return false;
    });
    return site;
}

void log_python_places(Core& core) {
    if (unlogged.load(std::memory_order_relaxed) == 0) {
        return;
    }
    const std::lock_guard lock(table.mutex);
    for (; table.logged < table.places.size(); ++table.logged) {
        const Place& place = table.places[table.logged];
        core.log.append(transport::ScriptPlaceRecord{
            .line = static_cast<std::uint32_t>(place.line), .file = place.file, .function = place.function});
    }
    unlogged.store(0, std::memory_order_relaxed);
}

std::vector<std::uint64_t> logged_python_stack(Core& core, std::size_t most) {
    std::vector<std::uint64_t> stack;
    if (!core.multithreaded) {
        for_each_place([&](std::uint64_t place) {
            stack.push_back(place);
            return stack.size() < most;
        });
        log_python_places(core);
    }
    return stack;
}

std::uint64_t stable_python_place(std::uint64_t place) {
    const std::lock_guard lock(table.mutex);
    const Place& found = table.places[place & ~transport::script_places];
    return base::Hash().add(found.file).add(found.function).add(static_cast<std::uint64_t>(found.line)).value();
}

}  // namespace dampi::piggyback
