#include "piggyback/rank/lifecycle/attach.hpp"

#include "base/check.hpp"
#include "launch/program/preload.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/lifecycle/asked_libraries.hpp"
#include "piggyback/rank/lifecycle/crash.hpp"
#include "piggyback/rank/lifecycle/environment.hpp"
#include "piggyback/rank/lifecycle/late_start.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/lifecycle/rewind.hpp"
#include "piggyback/rank/lifecycle/way_out_of_main.hpp"
#include "piggyback/rank/sanitizers/address_runtime.hpp"
#include "piggyback/rank/sanitizers/main_program.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"
#include "piggyback/rank/symbols.hpp"
#include "piggyback/rank/touches/touch_findings.hpp"
#include "transport/memory/memory_port.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

using transport::memory::Area;

bool functions_found = false;  ///< in a prepared process, for its ranks

[[noreturn]] void end_rank(const std::string& text) {
    std::fprintf(stderr, "dampi: %s\n", text.c_str());
    _exit(transport::layer_gave_up);
}

/// Why a program that another one has started cannot speak with the launcher; empty: it can.
std::string lost_process_manager() {
    const char* text = find_variable("PMI_FD");
    struct stat status {};
    if (text == nullptr || (fstat(std::atoi(text), &status) == 0 && S_ISSOCK(status.st_mode))) {
        return {};
    }
    return "the program that has started the MPI program has closed the file descriptor of the process manager "
           "(PMI_FD=" +
           std::string(text) +
           "), without which MPI cannot begin: let it leave that open (in Python: subprocess.run(..., "
           "close_fds=False))";
}

void on_failed_check(const char* condition, const char* file, int line) {
    const std::string text = std::string(condition) + " does not hold at " + file + ":" + std::to_string(line);
    if (Core* core = Core::current()) {
        core->log.append(transport::InternalErrorRecord{text});
    }
    end_rank("internal error in the layer: " + text);
}

/// The program and what it starts must not see the variables that brought the layer in, and the MPI library.
void clean_environment() {
    if (const char* users = find_variable(launch::users_preload_variable)) {
        replace_variable("LD_PRELOAD", users);
        remove_variable(launch::users_preload_variable);
    } else {
        remove_variable("LD_PRELOAD");
    }
    if (const char* users = find_variable(launch::users_library_path_variable)) {
        if (*users != '\0') {
            replace_variable("LD_LIBRARY_PATH", users);
        } else {
            remove_variable("LD_LIBRARY_PATH");
        }
        remove_variable(launch::users_library_path_variable);
    }
}

/// The program calls MPI, and this process is no rank: it may become one now.
void call_without_rank(const char* function, const void* arguments) noexcept {
    stand_behind_init(function, arguments);
    not_the_same_in_ranks("it calls MPI before main");
    if (!has_been_initialised()) {
        end_late_start(attach_rank);
    }
}

}  // namespace

__attribute__((constructor)) void enter_process(int /*count*/, char** arguments) {
    Call::without_rank(call_without_rank);
    make_ranks_by(attach_rank);
    if (is_to_be_prepared()) {
        set_check_handler(on_failed_check);
        find_mpi_functions();
        functions_found = true;
        clean_environment();
        install_crash_handlers();
    } else if (begin_late_start(arguments)) {
        clean_environment();
    } else if (attach_rank(find_variable(transport::memory::environment_variable))) {
        remove_variable(transport::memory::environment_variable);
        clean_environment();
    }
}

bool attach_rank(const char* path) {
    const char* rank_text = find_variable("PMI_RANK");
    if (path == nullptr || rank_text == nullptr) {
        return false;
    }
    set_check_handler(on_failed_check);
    try {
        Area area = Area::attach(path, kept_mappings());
        const int rank = std::atoi(rank_text);
        if (rank < 0 || rank >= static_cast<int>(area.processes())) {
            end_rank("PMI_RANK is not a rank of this run");
        }
        std::string unsuitable;
        if (!functions_found) {
            unsuitable = doubt_about_library();
            unsuitable = unsuitable.empty() ? lost_process_manager() : unsuitable;
        }
        if (!functions_found && unsuitable.empty()) {
            find_mpi_functions();
        }
        auto none = transport::Phase::absent;
        if (!area.rank(rank).phase.compare_exchange_strong(none, transport::Phase::starting)) {
            end_rank("a second process of rank " + std::to_string(rank) + " calls MPI");
        }
        auto* port = new transport::memory::MemoryPort(std::move(area), rank);  // lives until the process ends
        port->become_that_of_process();
        Core::make_current(engine.make_layer(*port));
        if (!unsuitable.empty()) {
            Core::current()->log.append(transport::UnsuitableRecord{unsuitable});
            end_rank(unsuitable);
        }
        Core::current()->note(transport::Moment::started);
        engine.attach();
        sanitizers::find_address_runtime();
        sanitizers::find_leak_runtime();
        sanitizers::find_thread_runtime();
    } catch (const std::exception& error) {
        end_rank(error.what());
    }
    count_what_is_not_seen();
    log_modules(*Core::current());
    Call::note_in(Core::current()->board().last_call);
    if (Core::current()->places_have_stacks) {
        Call::name_sites([](std::uint64_t site) {
            Layer& layer = *Layer::current();
            if (follow_main(layer)) {
                do_not_come_back();
            }
            return layer.call_stacks.place(layer, site);
        });
    }
    record_crashes(*Core::current());
    install_crash_handlers();
    if (Core::current()->checks_buffers) {
        start_looking_for_touches();
    }
    return true;
}

}  // namespace dampi::piggyback
