#include "piggyback/rank/rank.hpp"

#include "base/check.hpp"
#include "launch/program/preload.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/lifecycle/crash.hpp"
#include "piggyback/rank/lifecycle/environment.hpp"
#include "piggyback/rank/lifecycle/late_start.hpp"
#include "piggyback/rank/lifecycle/prepare.hpp"
#include "piggyback/rank/lifecycle/rewind.hpp"
#include "piggyback/rank/symbols.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include <sched.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

using transport::memory::Area;

constexpr int layer_failed_status = 125;

bool functions_found = false;  ///< in a prepared process, for its ranks

[[noreturn]] void end_rank(const std::string& text) {
    std::fprintf(stderr, "dampi: %s\n", text.c_str());
    _exit(layer_failed_status);
}

void on_failed_check(const char* condition, const char* file, int line) {
    const std::string text = std::string(condition) + " does not hold at " + file + ":" + std::to_string(line);
    if (Layer* layer = Layer::current()) {
        layer->log.append(transport::memory::InternalErrorRecord{text});
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

clocks::Marks marks_of(const Area& area) {
    const std::uint32_t marks = area.header().marks;
    return {.postings = (marks & transport::memory::mark_postings) != 0,
            .buffered = (marks & transport::memory::mark_buffered) != 0,
            .windows = (marks & transport::memory::mark_windows) != 0};
}

/// At least one.
std::uint32_t own_cores() noexcept {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? static_cast<std::uint32_t>(CPU_COUNT(&cores)) : 1;
}

}  // namespace

Layer::Layer(Area shared, base::Rank own_rank)
    : area(std::move(shared)),
      slab(area, own_rank),
      log(area, own_rank),
      outgoing(area.processes()),
      incoming(area.processes()),
      clocks(own_rank, area.protocol(), marks_of(area)),
      others_clocks(area.processes()),
      record_stacks(area.header().record_stacks != 0),
      follow_up(record_stacks, area.rank(own_rank).follow_up),
      buffering(static_cast<replay::Buffering::Kind>(area.header().buffering)),
      rendezvous_threshold(area.header().rendezvous_threshold),
      marks_doubtful((area.header().marks & transport::memory::marks_doubtful) != 0),
      piggyback(static_cast<replay::Piggyback>(area.header().piggyback)),
      free_seed(area.header().free_seed),
      crowded(area.processes() > own_cores()),
      spins(crowded ? 4 : 2000),
      rank_(own_rank),
      header_(area.rank(own_rank)) {
    clocks::Snapshot::use_in_one_thread();
}

void Layer::note(transport::memory::Moment moment) noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    header_.moment[static_cast<std::size_t>(moment)].store(
        static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec),
        std::memory_order_relaxed);
}

void Layer::count_not_modelled(const char* name) noexcept {
    for (auto& slot : header_.not_modelled) {
        if (slot.name[0] == '\0') {
            std::strncpy(slot.name, name, sizeof slot.name - 1);
        }
        if (std::strncmp(slot.name, name, sizeof slot.name - 1) == 0) {
            slot.count.store(slot.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return;
        }
    }
    // More different ones than slots: the last one stands for all the rest.
    auto& last = header_.not_modelled[transport::memory::not_modelled_slots - 1];
    last.count.store(last.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void Layer::record_violation(const std::string& kind, const std::string& message, const Call& call,
                             const std::string& detail) {
    if (!is_logged_place(call.site())) {
        log_modules(*this);
    }
    log.append(transport::memory::ViolationRecord{
        .kind = kind, .message = message, .call = call.function(), .detail = detail, .site = call.site()});
}

void Layer::record_violation(const std::string& kind, const std::string& message, const char* function,
                             std::uint64_t site) {
    log.append(transport::memory::ViolationRecord{
        .kind = kind, .message = message, .call = function, .detail = "", .site = site});
}

void Layer::record_note(const std::string& kind, const std::string& message, const char* function, std::uint64_t site) {
    if (!is_logged_place(site)) {
        log_modules(*this);
    }
    log.append(transport::memory::NoteRecord{
        {.kind = kind, .message = message, .call = function, .detail = "", .site = site}});
}

__attribute__((constructor)) void enter_process() {
    if (is_to_be_prepared()) {
        set_check_handler(on_failed_check);
        find_mpi_functions();
        functions_found = true;
        clean_environment();
        install_crash_handlers();
    } else if (begin_late_start()) {
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
        if (!functions_found) {
            find_mpi_functions();
        }
        auto none = transport::memory::Phase::absent;
        if (!area.rank(rank).phase.compare_exchange_strong(none, transport::memory::Phase::starting)) {
            end_rank("a second process of rank " + std::to_string(rank) + " calls MPI");
        }
        Layer::current_ = new Layer(std::move(area), rank);  // lives until the process ends
        Layer::current_->note(transport::memory::Moment::started);
        if (attach_engine != nullptr) {
            attach_engine();
        }
    } catch (const std::exception& error) {
        end_rank(error.what());
    }
    count_what_is_not_seen();
    log_modules(*Layer::current_);
    Call::note_in(Layer::current_->header().last_call);
    record_crashes(*Layer::current_);
    install_crash_handlers();
    return true;
}

}  // namespace dampi::piggyback
