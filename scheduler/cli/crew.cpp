#include "scheduler/cli/crew.hpp"

#include "base/check.hpp"
#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/worker_order.hpp"
#include "transport/network/link.hpp"
#include "transport/network/secret.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

/// Nobody else may read it, not even for a moment.
void write_own(const std::filesystem::path& file, const std::string& line) {
    ::unlink(file.c_str());
    const base::UniqueFd opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    const std::string text = line + "\n";
    if (!opened || ::write(opened.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        base::fail(file.string() + ", which workers need, cannot be written", errno);
    }
}

}  // namespace

Crew::Crew(const SettledRequest& request, const std::filesystem::path& output, const std::filesystem::path& layer,
           std::function<void(const std::string&)> say, std::function<void(const std::string&)> detail)
    : say_(std::move(say)) {
    const Options& options = request.options;
    const WorkersWish& wish = *options.workers;
    const std::filesystem::path worker = find_part("dampi-worker", {"dampi-worker"});
    const std::string secret = transport::network::make_secret();
    // Without any others, only those that are started here have to come.
    const bool here = wish.kind == WorkersWish::Kind::here && wish.count != 0;
    workers::PoolSettings settings{.secret = secret,
                                   .build = worker_build(worker, layer),
                                   .order = worker_order(request, layer, environ),
                                   .processes = options.processes,
                                   .here = here,
                                   .output = output,
                                   .patience = options.worker_patience,
                                   .most_without = options.worker_wait,
                                   .refused = say_,
                                   .lost = std::move(detail)};
    if (options.jobs) {
        settings.most_leases = static_cast<unsigned>(*options.jobs);
    }
    pool_.emplace(std::move(settings));
    const std::string address = transport::network::own_address(pool_->port(), here);
    const std::filesystem::path folder = std::filesystem::absolute(options.output) / "workers";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    write_own(folder / "secret", secret);
    write_own(folder / "address", address);
    folder_ = folder;
    if (wish.kind == WorkersWish::Kind::here && wish.count == 0) {
        say_("workers may join, with: " + worker.string() + " --join " + address + " --secret-file " +
             (folder / "secret").string());
    }
    const char* const shell = std::getenv("DAMPI_SSH");
    try {
        processes_.emplace(workers::ProcessesSettings{.wish = wish,
                                                      .worker = worker,
                                                      .address = address,
                                                      .secret = secret,
                                                      .secret_file = folder / "secret",
                                                      .log_folder = folder,
                                                      .shell = shell == nullptr ? "ssh" : shell,
                                                      .given_up = say_},
                           *pool_);
    } catch (...) {
        remove_secret();
        throw;
    }
}

void Crew::remove_secret() const {
    std::error_code ignored;
    std::filesystem::remove(folder_ / "secret", ignored);
    std::filesystem::remove(folder_ / "address", ignored);
}

Crew::~Crew() {
    if (processes_) {
        processes_->start_no_more();
    }
    // First: whoever is started from now on sees that there is no sweep any more.
    std::error_code ignored;
    if (!folder_.empty()) {
        remove_secret();
    }
    pool_->send_away();
    processes_.reset();
    pool_.reset();
    if (folder_.empty()) {
        return;
    }
    for (auto entry = std::filesystem::directory_iterator(folder_, ignored);
         !ignored && entry != std::filesystem::directory_iterator(); entry.increment(ignored)) {
        std::error_code unknown;
        if (std::filesystem::is_empty(entry->path(), unknown)) {  // a log in which nothing stands
            std::filesystem::remove(entry->path(), unknown);
        }
    }
    std::filesystem::remove(folder_, ignored);  // unless something is left in it
}

AutomaticEngine::Part Crew::part(workers::Purpose purpose) {
    return {std::make_unique<workers::WorkersEngine>(*pool_, purpose), [this] { return pool_->launching(); }};
}

Engine Crew::engine(const SettledRequest& request, bool repeats) {
    if (request.options.may_hand_over && request.engine() == replay::EngineKind::central) {
        AutomaticEngine::Settings settings{.central = part(workers::Purpose::central),
                                           .distributed = [this] { return part(workers::Purpose::distributed); },
                                           .repeating = {},
                                           .repeats_touches = request.options.checks_buffers,
                                           .merge_states = false,
                                           .say = say_};
        if (repeats) {
            settings.repeating = [this] { return part(workers::Purpose::repeating); };
        }
        return make_automatic_engine(std::move(settings));
    }
    AutomaticEngine::Part only = part(request.engine() == replay::EngineKind::central ? workers::Purpose::central
                                                                                      : workers::Purpose::distributed);
    Engine engine;
    engine.runs = std::move(only.runs);
    engine.launching = std::move(only.launching);
    return engine;
}

}  // namespace dampi::scheduler
