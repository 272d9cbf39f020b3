// The ranks of a job on other machines. The first rank there starts a monitor of that machine (the light layer does),
// which connects to the one that has started the job, proves its secret, and answers what it is asked; so whatever
// starts ranks elsewhere, srun or mpiexec, starts one monitor for each machine. When such a monitor is lost, nothing
// happens to the job: what its ranks do is not known from then on.
#pragma once

#include "scheduler/watch/local_ranks.hpp"
#include "transport/network/link.hpp"
#include "transport/network/listening.hpp"
#include "transport/network/secret.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler::watch {

/// A monitor of another machine.
class RemoteMonitor {
public:
    RemoteMonitor(std::unique_ptr<transport::network::Link> link, std::string machine)
        : link_(std::move(link)), machine_(std::move(machine)) {}

    [[nodiscard]] const std::string& machine() const { return machine_; }
    [[nodiscard]] bool is_lost() const { return is_lost_; }
    /// How many ranks were not through with MPI when it answered last.
    [[nodiscard]] int ranks() const { return ranks_; }

    /// False while an earlier question has not been answered.
    bool ask(const Question& question);
    /// Nothing: not in time, or never.
    std::optional<Answer> answer(std::chrono::milliseconds patience);

private:
    /// Takes in what has come until an answer has, or the time is over.
    std::optional<Answer> receive(std::chrono::milliseconds patience);

    std::unique_ptr<transport::network::Link> link_;
    std::string machine_;
    bool is_lost_ = false;
    int ranks_ = 0;
    int unanswered_ = 0;
};

/// Those that have connected.
class RemoteMonitors {
public:
    RemoteMonitors() : secret_(transport::network::make_secret()), listening_(false, "monitors") {}

    /// What a monitor elsewhere needs to know.
    [[nodiscard]] std::string address() const;
    [[nodiscard]] const std::string& secret() const { return secret_; }

    /// Lets those in who have connected meanwhile; true where somebody has.
    bool accept();
    [[nodiscard]] std::vector<std::unique_ptr<RemoteMonitor>>& all() { return all_; }

private:
    std::string secret_;
    transport::network::Listening listening_;
    std::vector<std::unique_ptr<RemoteMonitor>> all_;
};

/// The other side: watches the ranks whose boards are in this folder until nobody asks any more, or none has come for
/// long. Throws dampi::Error where it is not let in.
void serve_remotely(const std::string& address, const std::string& secret, const std::filesystem::path& boards);

}  // namespace dampi::scheduler::watch
