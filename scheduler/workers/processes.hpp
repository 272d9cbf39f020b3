// Starts the workers that --workers names: processes of this machine, by ssh on others, or as a Slurm job array. Those
// that die are started again as long as that helps. The secret goes through standard input, or a file that only its
// owner can read; never through arguments.
#pragma once

#include "scheduler/request.hpp"
#include "scheduler/workers/pool.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dampi::scheduler::workers {

struct ProcessesSettings {
    WorkersWish wish;
    std::filesystem::path worker;  ///< dampi-worker
    std::string address;           ///< own_address()
    std::string secret;
    std::filesystem::path secret_file;  ///< with the secret in it; for Slurm's
    std::filesystem::path log_folder;   ///< likewise
    std::string shell = "ssh";          ///< the command in ssh's place, split at blanks
    /// Told, in a sentence, of each that is not started any more.
    std::function<void(const std::string&)> given_up = [](const std::string& /*what*/) {};
};

class Processes {
public:
    /// Throws dampi::Error where they cannot be started.
    Processes(ProcessesSettings settings, Pool& pool);
    ~Processes();
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    /// Starts nothing any more: the pool is about to send all away.
    void start_no_more();

private:
    class Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace dampi::scheduler::workers
