// The workers of a sweep, as dampi-run has them: listens for them while it lives, has each prove the secret, tells it
// the sweep, leases interleavings and takes in what comes of them. Workers come and go at any time; what a lost one had
// is leased to another.
#pragma once

#include "scheduler/engines/execution_engine.hpp"
#include "scheduler/workers/messages.hpp"
#include "scheduler/workers_account.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace dampi::scheduler::workers {

struct PoolSettings {
    std::string secret;
    std::string build;                         ///< Hello::build of workers that are accepted
    std::string order;                         ///< what they are told of the sweep
    int processes = 1;                         ///< of a run
    bool here = false;                         ///< workers of this machine only
    std::optional<unsigned> most_leases = {};  ///< at the same time
    std::filesystem::path output = {};         ///< for what the program prints; empty: nobody wants it
    /// A worker of which nothing has been heard for so long is lost.
    std::chrono::milliseconds patience = std::chrono::seconds(30);
    /// A sweep that has had no worker for so long ends.
    std::chrono::milliseconds most_without = std::chrono::minutes(10);
    /// Told of each worker that was not accepted, in a sentence; and of each that was lost.
    std::function<void(const std::string&)> refused = [](const std::string& /*what*/) {};
    std::function<void(const std::string&)> lost = [](const std::string& /*what*/) {};
};

class Pool {
public:
    /// Throws dampi::Error when it cannot listen.
    explicit Pool(PoolSettings settings);
    /// Sends all workers away.
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    [[nodiscard]] std::uint16_t port() const;

    /// As RemoteEngine has them.
    void start(Purpose purpose, std::shared_ptr<const replay::Interleaving> interleaving, std::stop_token stop,
               std::function<void(RunResult)> done);
    [[nodiscard]] unsigned room() const;
    void when_room_grows(std::function<void()> grown);
    [[nodiscard]] std::optional<std::string> gave_up() const;

    /// No further worker will come by itself; without any, the sweep ends at once. `why`: a sentence's part.
    void expect_no_more(const std::string& why);

    /// Tells all workers to go; no other is accepted.
    void send_away();

    /// So many results have come.
    [[nodiscard]] std::uint64_t results() const;
    [[nodiscard]] WorkersAccount account() const;
    /// How a worker has started the ranks, as the latest that had something to say of it did.
    [[nodiscard]] std::vector<std::string> launching() const;

private:
    class Inside;
    std::shared_ptr<Inside> inside_;
};

/// Runs interleavings on a pool's workers, all for the same purpose.
class WorkersEngine final : public RemoteEngine {
public:
    WorkersEngine(Pool& pool, Purpose purpose) : pool_(pool), purpose_(purpose) {}

    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override;
    void start(std::shared_ptr<const replay::Interleaving> interleaving, std::stop_token stop,
               std::function<void(RunResult)> done) override {
        pool_.start(purpose_, std::move(interleaving), std::move(stop), std::move(done));
    }
    [[nodiscard]] unsigned room() const override { return pool_.room(); }
    void when_room_grows(std::function<void()> grown) override { pool_.when_room_grows(std::move(grown)); }
    [[nodiscard]] std::optional<std::string> gave_up() const override { return pool_.gave_up(); }

private:
    Pool& pool_;
    Purpose purpose_;
};

}  // namespace dampi::scheduler::workers
